/** What adds and removes passkeys and codes. */
export const factorDialogs = {
  goOn: 'Continue',
  passkeyMeans:
    'Your device or password manager keeps it. Your fingerprint, face or PIN then signs you in, without a password.',
  passkeyName: 'Name',
  passkeyNameHint: 'Something you’ll recognise, such as “Phone”.',
  removeQuestion: (name: string) => `Remove ${name}?`,
  removePasskey: 'Remove passkey',
  removePasskeyMeans: 'It no longer works here. Your device may still offer it, so delete it there too.',
  last: 'It’s your only second factor. Without it, your password alone lets you in, and your recovery codes are gone.',
  lastRequired:
    'It’s your only second factor, and your role needs one. You’ll have to set up another before you can continue.',
  qrCode: 'QR code for your authenticator app',
  openApp: 'Open in your authenticator app',
  scan: 'Scan this with your authenticator app, then type the code it shows.',
  orType: 'Can’t scan it? Enter this secret in the app:',
  wrongCode: 'That code doesn’t match. Or is your phone’s clock off?',
  secret: 'Secret',
  removeCodeQuestion: 'Remove one-time codes?',
  removeCode: 'Remove one-time codes',
  removeCodeMeans: 'You’re no longer asked for your app’s codes. Delete the entry there too.',
  renewQuestion: 'Make new recovery codes?',
  renew: 'Make new recovery codes',
  renewMeans: (left: number): string =>
    left === 0 ? 'You get ten of them.' : 'You get ten of them. The ones you have stop working.',
  codesMean:
    'Each lets you in once, in place of a passkey or a code. Keep them where you can find them without your phone.',
  shownOnce: 'You won’t see them again.',
  codesOf: (user: string, site: string, date: string) => `Recovery codes of ${user} at ${site}, ${date}`,
  notCopied: 'Couldn’t copy them. Select them and copy them yourself.',
  download: 'Download',
  print: 'Print',
  keepFirst: 'You won’t see them again, so save them first.',
  kept: 'I’ve saved them',
};
