const cameras = (count: number) => (count === 1 ? 'One camera' : `${count} cameras`);

/** Of a page that is rarely seen: it is loaded with it, and is in no catalogue. */
export const firstRun = {
  title: 'Set up Postern',
  stepOf: (step: number, of: number) => `Step ${step} of ${of}`,
  steps: { password: 'Password', recorder: 'Recorder', face: 'Your house', person: 'People', check: 'Ready' },
  titles: {
    password: 'Choose your password',
    recorder: 'Connect your recorder',
    face: 'Give your house a face',
    person: 'Let someone in',
  },
  readyTitle: (house: string) => `${house} is ready`,
  almostTitle: (house: string) => `${house} is almost ready`,
  done: 'done',
  open: 'to do',
  next: 'Continue',
  skip: 'Skip',
  reminded: "We'll remind you on Home",
  adminsOnly: 'Only admins set up Postern',
  what: 'the setup',

  passwordWhy: "You're still using the generated one. It's in the log, for anyone who reads it.",
  passwordDone: 'No one uses a generated password anymore.',
  passwordOf: (user: string) => `${user} still uses the generated password.`,
  toUsers: 'Change it in Settings',
  savePassword: 'Save password',
  passwordChanged: "Your password is changed. You're signed out everywhere else.",

  recorderWhy: 'Enter the address that you open it with. Until then, you see a sample.',
  recorderAway: "It's set, but it doesn't answer as a recorder.",
  answers: 'It answers. These are your cameras.',
  connectedTag: 'Connected',
  address: 'Address',
  addressHint:
    "Best its port 8971, with the recorder's own sign-in and TLS off. Only Postern should reach it.",
  connect: 'Connect',
  connected: (count: number) => `Your recorder is connected. ${cameras(count)}.`,
  everybody: {
    says: 'It answers, but lets everyone in.',
    todo: "On this port the recorder takes every visitor for an admin. Use port 8971, with the recorder's sign-in off.",
  },
  useSafer: 'Use port 8971',
  useAnyway: 'Use it anyway',
  another: 'Another address',
  byHandHint: "Postern reads the changed file within two seconds. You needn't restart it.",
  readOnly: { says: "Postern can't write config.yml.", todo: 'Add this line to it yourself:' },
  otherFront: 'Another web server passes requests on. Give it the address of the recorder too.',
  database:
    "Postern can't look up yet which camera an event is from. Name the recorder's database too, and restart Postern:",
  faults: {
    not_asked: { says: "It hasn't answered yet.", todo: '' },
    no_answer: {
      says: 'Nothing answers there.',
      todo: 'Is the recorder running, and can this machine reach the port?',
    },
    speaks_tls: {
      says: 'This port speaks TLS.',
      todo: "Set tls.enabled: false in the recorder's configuration and restart it, or begin the address with https://.",
    },
    speaks_no_tls: { says: "This port doesn't speak TLS.", todo: 'Begin the address with http://.' },
    certificate_unknown: {
      says: "This machine doesn't trust its certificate.",
      todo: "Name its file as recorder.certificate in config.yml, or set tls.enabled: false in the recorder's configuration.",
    },
    asks_for_login: {
      says: 'It asks for a sign-in of its own.',
      todo: "Set auth.enabled: false in the recorder's configuration and restart it. If proxy.auth_secret is set there, set recorder.auth_secret in config.yml to the same.",
    },
    error_status: { says: 'It answers with an error.', todo: "The recorder's own log has the reason." },
    no_configuration: {
      says: "It answers, but it's no recorder, or one without cameras.",
      todo: 'Check the address, or add a camera there.',
    },
    too_large: { says: 'It answers more than a recorder would.', todo: 'Check the address.' },
    is_gate: { says: "That's Postern itself.", todo: 'Enter the address of the recorder behind it.' },
  },

  saveFace: 'Save and continue',
  keepFace: 'Keep it as it is',

  personWhy:
    'Give everyone an account of their own. A viewer watches every camera and changes nothing; your own roles see less.',
  personDone: "You aren't the only one anymore.",

  ready: (count: number) =>
    `${count === 1 ? 'One camera is' : `${count} cameras are`} live. What would you like to do next?`,
  readyBut: (left: number) =>
    `${left === 1 ? 'One step is' : `${left} steps are`} left, and can wait. We'll remind you on Home.`,
  home: 'Open Home',
  checksWhat: 'the checks',
  checked: (worse: number) =>
    worse === 0 ? 'Postern checked itself: all well' : `Postern checked itself: ${worse} to look at`,
  checks: {
    configuration: 'Configuration',
    certificate: 'Certificate',
    recorder: 'Recorder',
    roles: 'Roles at the recorder',
  },
  results: { ok: 'valid', hint: 'look at it', fault: 'fault', none: 'nothing to check' },
  until: (date: string) => `valid until ${date}`,
  cameras,
  requestTitle: 'Your connection',
  youAre: (address: string) =>
    `Postern sees you at ${address}. If that isn't you, a web server in front hides who asks.`,
  secure: 'encrypted',
  insecure: 'not encrypted',
  outside:
    'What others can reach only shows from outside. Run this on another machine, best outside your network:',
};
