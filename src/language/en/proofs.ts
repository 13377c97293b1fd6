/** How somebody proves who they are, besides the login's first step. */
export const proofs = {
  what: 'your sign-in methods',
  secondStepHint: 'The password was right. Now show that it is you.',
  stepUp: 'Is it you?',
  stepUpHint: 'Before this is done, show once more who you are.',
  usePasskey: 'Use a passkey',
  noPasskeysHere: 'This browser cannot use your passkeys here.',
  confirm: 'Confirm',
  codeForm: 'Six digits',
  fields: {
    code: 'Code of your authenticator app',
    recovery_code: 'Recovery code',
    password: 'Password',
  },
  instead: {
    code: 'Use a code of your app instead',
    recovery_code: 'Use a recovery code instead',
    password: 'Use your password instead',
  },
  wrong: {
    passkey: 'This passkey is not one of yours here.',
    code: 'The code is wrong, or was used before. Wait for the next one.',
    recovery_code: 'The recovery code is wrong, or was used before.',
    password: 'The password is wrong.',
  },
  passkeyCancelled: 'No passkey was shown. Try again, or choose another way.',
  passkeyKnown: 'This device has a passkey of yours already.',
  passkeyElsewhere: 'Passkeys work at the address that public_url names, and this page has another one.',
  passkeyFailed: 'The browser could not use a passkey.',
};
