export const common = {
  cancel: 'Cancel',
  close: 'Close',
  tryAgain: 'Try again',
  reload: 'Reload',
  undo: 'Undo',
  loading: (what: string) => `Loading ${what}…`,
  notLoaded: (what: string) => `The ${what} could not be loaded`,
  noAnswer: 'Postern does not answer.',
  badStatus: (status: number) => `Postern answered with status ${status}.`,
  sentAway: 'The proxy in front keeps sending you away.',
  pageBroken: 'Something went wrong on this page.',
  toStart: 'Go to the start page',
};
