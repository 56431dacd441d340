export interface AuthOptions {
  secret: string;
  /** the public address */
  baseURL: string;
}
