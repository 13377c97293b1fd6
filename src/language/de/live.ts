import type { Catalogue } from '../en/index.ts';

export const live: Catalogue['live'] = {
  back: 'Alle Kameras',
  previous: (camera) => `Vorige Kamera: ${camera}`,
  next: (camera) => `Nächste Kamera: ${camera}`,
  stream: 'Stream',
  connecting: 'Verbinden …',
  again: 'Gerade kein Bild. Es wird von selbst erneut versucht.',
  ended: 'Ihr Zugriff auf diese Kamera ist beendet.',
  mse: 'Livestream',
  webrtc: 'Livestream (WebRTC)',
  mjpeg: 'Live, in Einzelbildern',
  pictures: 'Jede Sekunde ein neues Bild',
  soundOn: 'Ton an',
  soundOff: 'Ton aus',
  share: 'Diese Kamera teilen',
  fullScreen: 'Vollbild',
  paused: 'Angehalten, solange niemand hinsieht.',
  noCamera: 'Diese Kamera gibt es nicht, oder Sie dürfen sie nicht sehen',
  camera: 'die Kamera',
};
