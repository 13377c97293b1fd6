import type { Catalogue } from '../en/index.ts';

export const watching: Catalogue['watching'] = {
  title: 'Gerade dabei',
  chip: (count) => (count === 1 ? '1 sieht zu' : `${count} sehen zu`),
  all: (count) => `Alle ${count} Kameras`,
  home: 'Startseite',
  devices: { phone: 'Telefon', tablet: 'Tablet', computer: 'Computer', program: 'Ein Programm' },
  stop: 'Stoppen',
  stopped: (user) => `Gestoppt für ${user}`,
  stoppedUntil: (user, clock) => `Gestoppt für ${user} bis ${clock}`,
  allowed: (user) => `${user} kann wieder zusehen`,
  stoppedTitle: 'Vorerst gestoppt',
  until: (clock) => `bis ${clock}`,
  by: (admin) => `von ${admin}`,
  allow: 'Wieder erlauben',
  allowOf: (user) => `Wieder erlauben: ${user}`,
  signOut: (user) => `${user} abmelden`,
  revoke: 'API-Token widerrufen',
  endDisplay: 'Bildschirm beenden',
  endShare: 'Freigabe beenden',
  stopNow: 'Jetzt stoppen',
  stopHour: 'Für eine Stunde stoppen',
};
