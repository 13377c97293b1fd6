export const progress = {
  loading: (what: string) => `Loading ${what}…`,
  notLoaded: (what: string) => `The ${what} could not be loaded`,
  noAnswer: 'Postern does not answer.',
  badStatus: (status: number) => `Postern answered with status ${status}.`,
  sentAway: 'The proxy in front keeps sending you away.',
  pageBroken: 'Something went wrong on this page.',
};
