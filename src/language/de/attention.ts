import type { Catalogue } from '../en/index.ts';

export const attention: Catalogue['attention'] = {
  title: 'Braucht Aufmerksamkeit',
  password_generated: {
    says: () => 'Ihr Passwort ist noch das aus dem Log.',
    action: 'Passwort ändern',
  },
  first_run: {
    says: ({ count }) =>
      count === 1
        ? 'Ein Schritt der Einrichtung ist offen.'
        : `${count} Schritte der Einrichtung sind offen.`,
    action: 'Weitermachen',
  },
  role_unverified: {
    says: ({ roles, count }) =>
      count === 1
        ? `Der Rekorder hat die Kameras der Rolle ${roles} nicht bestätigt: Ihre Listen bleiben geschlossen.`
        : `Der Rekorder hat die Kameras von ${count} Rollen nicht bestätigt: Ihre Listen bleiben geschlossen (${roles}${Number(count) > 5 ? ', …' : ''}).`,
    action: 'Rollen zeigen',
  },
  provider_fault: {
    says: ({ provider, sessions }) =>
      sessions === 1
        ? `${provider} war nicht zu fragen, ob eine Sitzung weitergeht: Sie endet, wenn ihre Zeit um ist.`
        : `${provider} war nicht zu fragen, ob ${sessions} Sitzungen weitergehen: Sie enden, wenn ihre Zeit um ist.`,
    action: '',
  },
  session_not_refreshed: {
    says: ({ provider }) =>
      `${provider} war nicht zu fragen, ob Ihre Sitzung weitergeht: Sie endet, wenn ihre Zeit um ist, und Sie melden sich neu an.`,
    action: 'Konto zeigen',
  },
  reload_failed: {
    says: ({ problems }) =>
      `Die geänderte Konfiguration wurde nicht übernommen: ${problems === 1 ? 'ein Problem' : `${problems} Probleme`}.`,
    action: 'Konfiguration zeigen',
  },
  certificate_ends: {
    says: ({ days }) =>
      Number(days) < 0
        ? 'Das Zertifikat dieser Seite ist abgelaufen.'
        : days === 0
          ? 'Das Zertifikat dieser Seite läuft heute ab.'
          : `Das Zertifikat dieser Seite läuft in ${days === 1 ? 'einem Tag' : `${days} Tagen`} ab.`,
    action: '',
  },
  sample_data: {
    says: () => 'Diese Ereignisse sind ein Beispiel.',
    action: 'Rekorder verbinden',
  },
};
