export const progress = {
  loading: (what: string) => `Loading ${what}…`,
  notLoaded: (what: string) => `Couldn’t load ${what}`,
  noAnswer: 'Postern isn’t answering.',
  /** For an answer without a reason that a person can read. */
  badStatus: (status: number): string =>
    status >= 502
      ? 'The recorder isn’t answering. Try again in a moment.'
      : status >= 500
        ? 'Something went wrong. Try again in a moment.'
        : status === 429
          ? 'That was too often. Try again in a moment.'
          : status === 404
            ? 'It isn’t there anymore.'
            : 'That isn’t possible here.',
  sentAway: 'The proxy in front keeps sending you away.',
  pageBroken: 'Something went wrong on this page.',
};
