import type { Catalogue } from '../en/index.ts';

export const live: Catalogue['live'] = {
  back: 'Alle Kameras',
  previous: (camera) => `Vorige Kamera: ${camera}`,
  next: (camera) => `Nächste Kamera: ${camera}`,
  stream: 'Stream',
  connecting: 'Verbinden …',
  again: 'Gerade kein Bild. Es kommt von selbst zurück.',
  ended: 'Sie haben keinen Zugriff mehr auf diese Kamera.',
  stopped: 'Ein Admin hat das gestoppt.',
  watchAgain: 'Wieder ansehen',
  mse: 'Livestream',
  webrtc: 'Livestream (WebRTC)',
  mjpeg: 'Live, in Einzelbildern',
  pictures: 'Jede Sekunde ein neues Bild',
  soundOn: 'Ton an',
  soundOff: 'Ton aus',
  share: 'Diese Kamera teilen',
  fullScreen: 'Vollbild',
  paused: 'Angehalten, solange Sie weg sind.',
  camera: 'die Kamera',
  noSuchCamera: 'Diese Kamera gibt es nicht',
};
