/** What the tokens of a user's sessions are held against. It changes with everything that ends all of them. */
export interface SessionGeneration {
  readonly generation: string;
  /** When it began, in milliseconds since the epoch. */
  readonly notBefore: number;
}

/** What a token says of its generation. One that was made elsewhere with the secret names none. */
export type GenerationOfToken =
  | { readonly generation: string }
  | {
      readonly generation: undefined;
      /** Milliseconds since the epoch. */
      readonly issuedAt: number;
    };

/**
 * Whether a token is of the generation that a user's sessions have now; one of any other was ended. The name decides,
 * whatever clocks did in between; a token that has none is held against the time.
 */
export function isOfGeneration(token: GenerationOfToken, now: SessionGeneration): boolean {
  return token.generation === undefined
    ? token.issuedAt >= now.notBefore
    : token.generation === now.generation;
}
