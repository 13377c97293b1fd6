import type { Catalogue } from '../en/index.ts';

export const proofs: Catalogue['proofs'] = {
  what: 'Ihre Anmeldung',
  secondStepHint: 'Das Passwort stimmt. Zeigen Sie jetzt, dass Sie es sind.',
  stepUp: 'Sind Sie es?',
  stepUpHint: 'Zeigen Sie noch einmal, wer Sie sind, bevor das geschieht.',
  usePasskey: 'Passkey verwenden',
  noPasskeysHere: 'Dieser Browser kann Ihre Passkeys hier nicht verwenden.',
  confirm: 'Bestätigen',
  codeForm: 'Sechs Ziffern',
  fields: {
    code: 'Code Ihrer Authenticator-App',
    recovery_code: 'Wiederherstellungscode',
    password: 'Passwort',
  },
  instead: {
    code: 'Stattdessen einen Code der App verwenden',
    recovery_code: 'Stattdessen einen Wiederherstellungscode verwenden',
    password: 'Stattdessen das Passwort verwenden',
  },
  wrong: {
    passkey: 'Dieser Passkey ist hier keiner von Ihnen.',
    code: 'Der Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten.',
    recovery_code: 'Der Wiederherstellungscode ist falsch oder wurde schon benutzt.',
    password: 'Das Passwort ist falsch.',
  },
  passkeyCancelled:
    'Es wurde kein Passkey gezeigt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  passkeyKnown: 'Dieses Gerät hat schon einen Passkey von Ihnen.',
  passkeyElsewhere: 'Passkeys gelten an der Adresse, die public_url nennt, und diese Seite hat eine andere.',
  passkeyFailed: 'Der Browser konnte keinen Passkey verwenden.',
};
