import type { StepTexts } from '../en/steps.ts';

export const steps: StepTexts = {
  recorded: (time) =>
    `dieser Prozess hat die Entscheidung nicht mehr: Ein anderer traf sie, oder es ist lange her. Der Eintrag im Protokoll von ${time} hat Wer, Was und Warum`,
  internal: 'der interne Zugang: anonym, als Admin; Header der Identität werden ignoriert',
  authenticated: 'der Zugang mit Anmeldung',
  unidentified: 'niemand wurde erkannt',
  by: (user, source) => `${user}, durch ${source}`,
  byApiToken: (user, id) => `${user}, durch das API-Token ${id}`,
  role: (role, groups) => (groups === '' ? role : `${role}, aus den Gruppen ${JSON.stringify(groups)}`),
  notUnderstood: (front, header) => `die Frage von ${front} lässt sich nicht lesen: ${header}`,
  notSaid: 'die Front hat sie nicht gesendet',
  unsafe: (path) => `${path} lässt sich nicht sicher lesen`,
  request: (method, path) => `${method ?? 'keine Methode'} ${path}`,
  row: (pattern, level, mayChange, requiresSession) =>
    `${pattern} ist ${level}${mayChange ? ', und alle, die es lesen dürfen, dürfen es ändern' : ''}${requiresSession ? ', und API-Token verschlossen' : ''}`,
  stricter: (why) => `strenger als ein Stand des Rekorders: ${why}`,
  noCameras: 'keine',
  notAsked: (ids) => `der Rekorder wurde nicht nach ${ids} gefragt: Die Rolle sieht alles`,
  roleGranted: (cameras) => `zur Rolle gehören: ${cameras}`,
  tokenGranted: (cameras) => `zum API-Token gehören: ${cameras}`,
  narrowed: (cameras) => `eingeschränkt auf ${cameras}`,
  may: (granted, needed, missing) =>
    `erlaubt: ${granted || 'nichts'}; für den Pfad nötig: ${needed || 'nichts'}${missing === undefined ? '' : `; es fehlt: ${missing}`}`,
  schedule: (owner, keys, zone, isOpen) =>
    `der Zeitplan ${owner === 'role' ? 'der Rolle' : 'des API-Tokens'}: ${keys}, in der Zeitzone ${zone}; er ist ${isOpen ? 'offen' : 'geschlossen'}`,
  opens: (time) => `es öffnet wieder: ${time}`,
  neverOpens: 'es öffnet nicht von selbst wieder',
  narrowedSince: (time) => `eingeschränkt auf das, was seit ${time} aufgenommen wurde`,
  verdict: (outcome, reason, meaning) => `${outcome}: ${reason}, ${meaning}`,
};
