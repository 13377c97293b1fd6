/** Sign-in methods of the account page. */
export const methods = {
  title: 'Sign-in methods',
  factors: 'Second factor',
  needed: 'Your role needs a second factor: set one up to go on.',
  neededHint: 'A passkey or a one-time code. Until then nothing else can be opened.',
  passkey: 'Passkey',
  addPasskey: 'Add passkey',
  passkeyAdded: 'The passkey was added.',
  madeOn: 'Added',
  lastUsed: 'last used',
  neverUsed: 'never used',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removed: (name: string) => `The passkey ${name} was removed.`,
  code: 'One-time code',
  codeHint: 'An app on your phone shows another code every 30 seconds.',
  setUp: 'Set up',
  setUpOn: 'Set up',
  setUpCode: 'Set up one-time codes',
  codeAdded: 'One-time codes are set up.',
  codeRemoved: 'One-time codes were removed.',
  recoveryCodes: 'Recovery codes',
  left: (count: number) =>
    count === 0
      ? 'None left: make new ones.'
      : `${count} left. Each lets you in once, when nothing else is at hand.`,
  renewed: 'You have ten new recovery codes.',
  makeNew: 'Make new codes',
  othersEnded: 'Your sessions elsewhere have ended.',
};
