import type { Catalogue } from '../en/index.ts';

export const proofs: Catalogue['proofs'] = {
  what: 'Ihre Anmeldung',
  secondStepHint: 'Noch ein Schritt, damit klar ist, dass Sie es sind.',
  stepUp: 'Sind Sie es?',
  stepUpHint: 'Bestätigen Sie, dass Sie es sind, bevor das geschieht.',
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
    code: 'Dieser Code passt nicht oder wurde schon benutzt. Warten Sie auf den nächsten.',
    recovery_code: 'Dieser Wiederherstellungscode passt nicht oder wurde schon benutzt.',
    password: 'Dieses Passwort passt nicht.',
  },
  passkeyCancelled:
    'Es wurde kein Passkey benutzt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  passkeyKnown: 'Dieses Gerät hat schon einen Passkey von Ihnen.',
  passkeyElsewhere: 'Passkeys gelten an der Adresse in public_url, und Sie sind an einer anderen.',
  passkeyFailed: 'Der Browser konnte keinen Passkey verwenden.',
};
