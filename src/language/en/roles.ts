/** Why the recorder gave no answer that the gate can use. */
const unheard = {
  no_answer: 'The recorder does not answer at upstream.',
  speaks_tls:
    "The port at upstream speaks TLS: set tls.enabled: false in the recorder's own configuration, or begin upstream with https://.",
  speaks_no_tls: 'The port at upstream does not speak TLS: begin upstream with http://.',
  certificate_unknown:
    'The recorder shows a certificate that this machine does not trust: name its file in recorder.certificate.',
  asks_for_login:
    'The recorder asks for its own sign-in: set auth.enabled: false in its own configuration. If proxy.auth_secret is set there, recorder.auth_secret must be the same.',
  error_status: 'The recorder answers with an error.',
};

export const roles = {
  add: 'Add role',
  asking: 'The recorder is being asked.',
  notWritten: 'Roles are not written to the recorder now.',
  adminMeans: 'Everything, including users and configuration',
  viewerMeans: 'All cameras',
  declared: 'declared in config.yml',
  declaredHint: 'config.yml defines this role. Change it there.',
  hidesStored: 'It overrides a stored role with the same name.',
  noCameras: 'No cameras',
  editOf: (role: string) => `Edit ${role}`,
  save: 'Save',
  cameras: 'Cameras',
  groups: 'Camera groups',
  thereAreNone: 'There are no cameras.',
  added: (role: string) => `The role ${role} was added.`,
  changed: (role: string) => `The role ${role} was changed.`,
  changedBack: (role: string) => `The role ${role} is as it was before.`,
  deleted: (role: string) => `The role ${role} was deleted.`,
  deletedWith: (role: string, users: string) => `The role ${role} was deleted. ${users}: viewer now.`,
  definedAgain: (role: string) => `The role ${role} is back.`,
  tookOver: (role: string) => `The role ${role} was taken over.`,
  onlyAtRecorder: 'Only at the recorder',
  onlyAtRecorderHint: 'No user of the gate can have these roles. The gate leaves them as they are.',
  allCameras: 'All cameras',
  takeOver: 'Take over',
  takeOverOf: (role: string) => `Take over ${role}`,
  recorderAgrees: 'In sync',
  knowsNo: (cameras: string) => `The recorder doesn’t have ${cameras}.`,
  listsClosed: 'Lists blocked',
  itSays: (words: string) => `Its answer: ${words}`,
  tryAgainOf: (role: string) => `Try again: ${role}`,
  /** Why the recorder gets nothing. */
  unread: {
    ...unheard,
    no_configuration:
      'What answers at upstream gives no configuration of a recorder with cameras. Is it in safe mode?',
    too_large: 'Its configuration is too large to be read.',
  },
  /** Why a role gets no lists, and what to do. */
  unverified: {
    upstream_unset:
      'Through fronts other than the embedded one: set upstream in config.yml to what they pass requests on to.',
    not_asked: 'The recorder is being asked about this role.',
    ...unheard,
    no_profile: 'What answers at upstream isn’t a recorder with roles.',
    everybody_is_admin:
      'On this port the recorder takes everyone for an admin. Let upstream name its authenticated port.',
    more_cameras:
      'The recorder has other cameras for this role, or doesn’t have it: define it there with the same cameras.',
    change_refused:
      'The recorder refused the change. Its configuration has to be writable, and the gate an admin to it.',
    role_name_refused:
      'Recorders take no such name: letters, digits and underscores alone, one letter at least.',
    role_without_cameras: 'No cameras would mean all of them to the recorder: the role is not written there.',
    expired: 'The last answer of the recorder is too old.',
  },
  /** What a role may do with its cameras. */
  may: {
    legend: 'What the role may do',
    yes: 'yes',
    no: 'no',
  },
  whatItSees: (role: string) => `What can ${role} see?`,
};
