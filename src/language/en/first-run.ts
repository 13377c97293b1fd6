const cameras = (count: number) => (count === 1 ? 'one camera' : `${count} cameras`);

/** Of a page that nearly nobody sees: it is loaded with it, and is in no catalogue. */
export const firstRun = {
  title: 'First run',
  lead: 'A few steps, in any order. What you skip is told again on the start page until it is done.',
  steps: 'Steps',
  done: 'done',
  open: 'open',
  password: 'Change the password',
  recorder: 'Connect the recorder',
  person: 'Add a person',
  check: 'Check it',
  skip: 'Skip for now',
  skipRecorder: 'I only use the sample for now',
  next: 'Next',
  finish: 'To the start page',
  allDone: 'Everything is set up.',
  adminsOnly: 'The first run is for admins',
  what: 'steps of the first run',

  passwordWhy: 'The password that Postern has generated stands in its log. Whoever reads the log can log in.',
  passwordDone: 'No account has a generated password.',
  passwordOf: (user: string) => `The password of ${user} is still the generated one.`,
  toUsers: 'Change it under Settings > Users',
  passwordChanged: 'Your password is changed. Your sessions elsewhere have ended.',

  noRecorder: 'No recorder is connected: the events that you see are a sample.',
  noRecorderPlain: 'No recorder is connected.',
  answers: (count: number) => `It answers, with ${cameras(count)}.`,
  asking: 'It is being asked.',
  address: 'Address of the recorder',
  addressHint:
    "The recorder's own API, which only Postern should reach: a URL, or unix:/path of a socket. Use its port 8971, with its own login and its TLS turned off.",
  ask: 'Ask it',
  found: (count: number, version: string | null) =>
    `A recorder${version === null ? '' : ` ${version}`} with ${cameras(count)}:`,
  everybody:
    'On this port everybody is admin to the recorder: roles of your own get few lists there. Its port 8971 is better.',
  connect: 'Connect it',
  connected: (count: number) => `The recorder is connected, with ${cameras(count)}.`,
  another: 'Another address',
  byHand: 'Write it into config.yml yourself',
  byHandHint: 'Postern reads a changed file within two seconds; no restart is needed.',
  readOnly: 'Postern may not write config.yml. Write this into it:',
  otherFront:
    'Requests come by another front, which has to know the recorder too: the address in its own configuration is not changed here.',
  database:
    'Whose camera an event is of is still looked up in the sample. Name the file of the recorder too; this waits for a restart:',
  faults: {
    not_asked: 'It has not answered yet.',
    no_answer: 'Nothing answers there.',
    speaks_tls:
      "This port speaks TLS. Set tls.enabled: false in the recorder's own configuration and restart it, or begin the address with https://.",
    speaks_no_tls: 'This port does not speak TLS. Begin the address with http://.',
    certificate_unknown:
      "It shows a certificate that this machine does not trust. Name its file as recorder.certificate in config.yml, or set tls.enabled: false in the recorder's own configuration.",
    asks_for_login:
      "This port has its own login on. Set auth.enabled: false in the recorder's own configuration and restart it. If proxy.auth_secret is set there, recorder.auth_secret in config.yml must be the same.",
    error_status: 'It answers with an error.',
    no_configuration: 'What answers there is no recorder, or one without cameras.',
    too_large: 'What it answers is too large.',
    is_gate: 'Postern itself answers there: give the address of the recorder behind it.',
  },

  personWhy:
    'Give everybody an account of their own, with the role that fits: a viewer sees every camera and changes nothing.',
  personDone: 'You are not the only one.',

  checkWhy: 'What Postern finds of itself:',
  checks: {
    configuration: 'Configuration',
    certificate: 'Certificate',
    recorder: 'Recorder',
    roles: 'Roles at the recorder',
  },
  results: { ok: 'good', hint: 'look at it', fault: 'fault', none: 'nothing to check' },
  until: (date: string) => `good until ${date}`,
  cameras,
  requestTitle: 'Your connection',
  youAre: (address: string) =>
    `Postern sees you at ${address}. Is that not you? Then a front hides who asks.`,
  secure: 'encrypted',
  insecure: 'not encrypted',
  outside:
    'What others can reach, only somebody outside finds out. Run this on another machine, best outside of your network:',
};
