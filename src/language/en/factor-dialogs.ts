/** What adds and removes passkeys and codes. */
export const factorDialogs = {
  goOn: 'Go on',
  passkeyMeans:
    'Your device or password manager keeps it, and your fingerprint, face or PIN uses it: one press logs you in, without the password.',
  passkeyName: 'Name',
  passkeyNameHint: 'By which you know it again, such as “Phone”.',
  removeQuestion: (name: string) => `Remove ${name}?`,
  removePasskey: 'Remove passkey',
  removePasskeyMeans: 'It cannot be used here any more. Your device may still offer it: delete it there too.',
  last: 'It is your only second factor: your password alone lets you in then, and your recovery codes are gone.',
  lastRequired:
    'It is your only second factor, and your role needs one: you have to set up another before you can go on.',
  qrCode: 'QR code for your authenticator app',
  scan: 'Scan this with your authenticator app, then type the code that it shows.',
  orType: 'The app cannot scan? Give it this secret:',
  wrongCode: 'The code is wrong, or the clock of your phone is.',
  secret: 'Secret',
  removeCodeQuestion: 'Remove one-time codes?',
  removeCode: 'Remove one-time codes',
  removeCodeMeans: 'The codes of your app are not asked for any more. Delete the entry there too.',
  renewQuestion: 'Make new recovery codes?',
  renew: 'Make new recovery codes',
  renewMeans: (left: number): string =>
    left === 0 ? 'You get ten of them.' : 'You get ten of them. Those that you have are good no more.',
  codesMean:
    'Each lets you in once, in place of a passkey or a code. Keep them where you find them without your phone.',
  shownOnce: 'They are not shown again.',
  codesOf: (user: string, site: string, date: string) => `Recovery codes of ${user} at ${site}, ${date}`,
  notCopied: 'They could not be copied: select them and copy them yourself.',
  download: 'Download',
  print: 'Print',
  keepFirst: 'They are not shown again: keep them first.',
  kept: 'I have kept them',
};
