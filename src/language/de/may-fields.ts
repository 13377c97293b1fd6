import type { Catalogue } from '../en/index.ts';

export const mayFields: Catalogue['mayFields'] = {
  means: {
    live: 'Sehen, was die Kameras jetzt zeigen.',
    history: 'Ereignisse, Clips und alles andere sehen, was aufgenommen wurde.',
    export: 'Aufnahmen als Dateien speichern und herunterladen.',
    ptz: 'Kameras drehen und zoomen und ihre Positionen abrufen.',
    share: 'Links erstellen, über die jeder ohne Konto einen Clip, einen Export oder eine Kamera sieht.',
    talk: 'Über die Lautsprecher der Kameras sprechen.',
  },
};
