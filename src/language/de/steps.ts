import type { StepTexts } from '../en/steps.ts';

export const steps: StepTexts = {
  recorded: (time) =>
    `dieser Prozess erinnert sich nicht an die Entscheidung, die ein anderer oder vor langer Zeit traf: der Eintrag der Aufzeichnung von ${time} sagt, wer, was und warum`,
  internal: 'der interne Zugang: anonym und Admin, und kein Header der Identität wird angesehen',
  authenticated: 'der Zugang mit Anmeldung',
  nobody: 'niemand wurde erkannt',
  by: (user, source) => `${user}, durch ${source}`,
  byApiToken: (user, id) => `${user}, durch das API-Token ${id}`,
  role: (role, groups) => (groups === '' ? role : `${role}, aus den Gruppen ${JSON.stringify(groups)}`),
  notUnderstood: (front, header) => `die Frage von ${front} wird nicht verstanden: ${header}`,
  notSaid: 'die Front nannte sie nicht',
  unsafe: (path) => `${path} lässt sich nicht sicher lesen`,
  request: (method, path) => `${method ?? 'keine Methode'} ${path}`,
  row: (pattern, level, mayChange, requiresSession) =>
    `${pattern} ist ${level}${mayChange ? ', und wer es lesen darf, darf es ändern' : ''}${requiresSession ? ', und API-Token verschlossen' : ''}`,
  stricter: (why) => `strenger als ein Stand des Rekorders: ${why}`,
  noCameras: 'keine',
  notAsked: (ids) => `der Rekorder wurde nicht nach ${ids} gefragt: Die Rolle sieht alles`,
  roleGranted: (cameras) => `zur Rolle gehören: ${cameras}`,
  tokenGranted: (cameras) => `zum API-Token gehören: ${cameras}`,
  narrowed: (cameras) => `eingeschränkt auf ${cameras}`,
  window: (keys, zone, isOpen) =>
    `das Zeitfenster der Rolle: ${keys}, in der Zeitzone ${zone}; in diesem Augenblick ist es ${isOpen ? 'offen' : 'geschlossen'}`,
  narrowedSince: (time) => `eingeschränkt auf das, was seit ${time} aufgenommen wurde`,
  verdict: (outcome, reason, meaning) => `${outcome}: ${reason}, ${meaning}`,
};
