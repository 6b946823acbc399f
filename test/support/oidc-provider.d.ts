/** What test/support/sign-in-service.ts uses of oidc-provider, which brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Context = { path: string; status: number; body: unknown; res: ServerResponse; oidc: { session: unknown } };
  type GrantOf = new (of: {
    clientId: string;
    accountId: string;
  }) => {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  };
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: GrantOf;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    on(event: string, listener: (...told: unknown[]) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
