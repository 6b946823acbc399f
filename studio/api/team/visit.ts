/** A request as the door has looked at it. */
export type Visit = {
  request: Request;
  /** The request's id in the log. */
  id: string;
  /** Whose it is, on the network. */
  address: string;
  /** A page of this server asks, as its browser says. */
  isOwnPage: boolean;
};

/** `attributes`: what stands after its name and value. */
export type SessionCookie = { name: string; attributes: string };
