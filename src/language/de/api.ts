import type { Catalogue } from '../en/index.ts';

export const api: Catalogue['api'] = {
  title: 'API',
  what: 'die API',
  intro:
    'Was Programme von dieser Seite abrufen können, mit dem Cookie einer Anmeldung oder mit einem Token als `Authorization: Bearer …`. Die Beschreibung für Programme steht in',
  parameters: 'Parameter',
  optional: 'Kann fehlen.',
  body: 'Inhalt',
  answers: 'Antworten',
};
