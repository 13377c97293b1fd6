/** OpenID Connect RP-Initiated Logout 1.0: a logout here signs out at the provider too. */
export interface ProviderLogout {
  /**
   * Runs before the session ends here, since its row with the ID token goes with it. It never throws.
   * @param sessionId undefined: the provider asks the user, who may not have wanted this
   */
  prepare(sessionId: string | undefined): Promise<PreparedLogout>;
  /** @returns where the browser goes after the provider's logout; undefined: not specified, or too long ago */
  nextOf(state: string | undefined): Promise<string | undefined>;
}

export interface PreparedLogout {
  /**
   * @param next a path of this site, where the next user continues
   * @returns undefined when the provider offers no logout, or its metadata is not there in time
   */
  urlTo(next: string | undefined): Promise<string | undefined>;
}
