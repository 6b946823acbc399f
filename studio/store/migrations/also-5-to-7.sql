CREATE TABLE "jobs" ("id" text primary key, "kind" text not null, "subject" text not null, "state" text not null, "progress" real default 0 not null, "message" text, "error" text, "created_at" text not null, "started_at" text, "finished_at" text, "owner" text);
CREATE INDEX "jobs_by_state" on "jobs" ("state", "created_at");
