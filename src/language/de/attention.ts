import type { Catalogue } from '../en/index.ts';

const moreWait = (count: number) =>
  count < 1 ? '' : count === 1 ? ' Eine weitere Bitte wartet.' : ` ${count} weitere Bitten warten.`;

export const attention: Catalogue['attention'] = {
  title: 'Braucht Aufmerksamkeit',
  password_generated: {
    says: () => 'Ihr Passwort ist noch das aus dem Log.',
    action: 'Passwort ändern',
  },
  first_run: {
    says: ({ count }) =>
      count === 1 ? 'Noch ein Schritt der Einrichtung' : `Noch ${count} Schritte der Einrichtung`,
    action: 'Weiter',
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
        ? `${provider} antwortet nicht. Eine Sitzung endet, wenn ihre Zeit um ist.`
        : `${provider} antwortet nicht. ${sessions} Sitzungen enden, wenn ihre Zeit um ist.`,
    action: '',
  },
  session_not_refreshed: {
    says: ({ provider }) =>
      `${provider} antwortet nicht. Wenn die Zeit Ihrer Sitzung um ist, melden Sie sich neu an.`,
    action: 'Konto zeigen',
  },
  reload_failed: {
    says: ({ problems, first }) =>
      `Die geänderte config.yml wurde nicht übernommen. ${first}.${problems === 1 ? '' : ` Sie hat ${problems} Probleme: postern config check zeigt alle.`}`,
    action: '',
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
  role_undefined: {
    says: ({ roles, users, count }) =>
      count === 1
        ? `${users} sieht alle Kameras: Die Rolle ${roles} fehlt in der Konfiguration.`
        : `${count} Personen sehen alle Kameras (${users}${Number(count) > 5 ? ', …' : ''}): Ihre Rolle fehlt in der Konfiguration (${roles}).`,
    action: 'Benutzer zeigen',
  },
  alerts_lost: {
    says: ({ count }) =>
      count === 1
        ? 'Ein Hinweis kam einen Tag lang nicht an seinem Ziel an.'
        : `${count} Hinweise kamen einen Tag lang nicht an ihren Zielen an.`,
    action: 'Hinweise zeigen',
  },
  access_asked: {
    says: ({ user, camera, count }) =>
      `${user} bittet um die Kamera ${camera}.${moreWait(Number(count) - 1)}`,
    action: 'Zugriff geben',
    decline: 'Ablehnen',
  },
  recorder_away: { says: () => 'Der Rekorder antwortet gerade nicht.', action: '' },
  sample_data: {
    says: () => 'Sie sehen ein Beispiel: fünf gezeichnete Kameras und ihren Tag.',
    action: 'Rekorder verbinden',
  },
};
