/** How users prove who they are, besides the login's first step. */
export const proofs = {
  what: 'your sign-in methods',
  secondStepHint: 'One more step, to be sure it’s you.',
  stepUp: 'Is it you?',
  stepUpHint: 'Confirm that it’s you before this is done.',
  usePasskey: 'Use a passkey',
  noPasskeysHere: 'This browser can’t use your passkeys here.',
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
    passkey: 'This passkey isn’t one of yours here.',
    code: 'That code doesn’t match, or was already used. Wait for the next one.',
    recovery_code: 'That recovery code doesn’t match, or was already used.',
    password: 'That password doesn’t match.',
  },
  passkeyCancelled: 'No passkey was used. Try again, or choose another way.',
  passkeyKnown: 'This device already has a passkey of yours.',
  passkeyElsewhere: 'Passkeys work at the address in public_url, and you’re at another one.',
  passkeyFailed: 'The browser couldn’t use a passkey.',
};
