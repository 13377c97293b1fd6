/** The generation that the tokens of a user's sessions must have. It changes when all of them are ended. */
export interface SessionGeneration {
  readonly generation: string;
  /** When it began, in milliseconds since the epoch. */
  readonly notBefore: number;
}

/** The generation of a token. One that was created elsewhere with the secret names none. */
export type GenerationOfToken =
  | { readonly generation: string }
  | {
      readonly generation: undefined;
      /** Milliseconds since the epoch. */
      readonly issuedAt: number;
    };

/**
 * Whether a token has the current generation of a user's sessions; any other was ended. The name decides, regardless of
 * clock changes; a token without one is compared by time.
 */
export function isOfGeneration(token: GenerationOfToken, now: SessionGeneration): boolean {
  return token.generation === undefined
    ? token.issuedAt >= now.notBefore
    : token.generation === now.generation;
}
