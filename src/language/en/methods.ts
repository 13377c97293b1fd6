/** Sign-in methods of the account page. */
export const methods = {
  title: 'Sign-in methods',
  factors: 'Second factor',
  needed: 'Your role needs a second factor. Set one up to continue.',
  neededHint: 'A passkey or a one-time code. Everything else opens once you have one.',
  passkey: 'Passkey',
  addPasskey: 'Add passkey',
  passkeyAdded: 'Passkey added.',
  madeOn: 'Added',
  lastUsed: 'last used',
  neverUsed: 'never used',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removed: (name: string) => `Passkey ${name} removed.`,
  code: 'One-time code',
  codeHint: 'An app on your phone shows a new code every 30 seconds.',
  setUp: 'Set up',
  setUpOn: 'Set up',
  setUpCode: 'Set up one-time codes',
  codeAdded: 'One-time codes set up.',
  codeRemoved: 'One-time codes removed.',
  recoveryCodes: 'Recovery codes',
  left: (count: number) =>
    count === 0
      ? 'None left. Make new ones.'
      : `${count} left. Each lets you in once, when you have nothing else with you.`,
  renewed: 'You have ten new recovery codes.',
  makeNew: 'Make new codes',
  othersEnded: 'You’re signed out everywhere else.',
};
