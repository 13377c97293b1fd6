import { isMap, parseDocument, type Document } from 'yaml';

/** The options of the Home Assistant add-on: home-assistant/postern/config.yaml has their schema. */
export interface AddOnOptions {
  /** Home Assistant signs users in, and shows Frigate in its sidebar. */
  readonly ingress: boolean;
  readonly upstream: string;
  readonly database: string;
  readonly admin_password: string;
  /** Roles of Home Assistant's users, for ingress. */
  readonly users: readonly { readonly user: string; readonly role: string }[];
}

const none: AddOnOptions = {
  ingress: false,
  upstream: '',
  database: '',
  admin_password: '',
  users: [],
};

/** @throws Error when the text isn't what the Supervisor writes */
export function readOptions(text: string): AddOnOptions {
  const given: unknown = JSON.parse(text);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('the options are no JSON object');
  const written = Object.entries(given).filter(([, value]) => value !== null);
  return { ...none, ...(Object.fromEntries(written) as Partial<AddOnOptions>) };
}

const ingressKeys = [
  [['tls', 'enabled'], false],
  [['auth', 'enabled'], false],
  [
    ['auth', 'trusted_proxies'],
    ['127.0.0.1', '172.30.32.0/23'],
  ],
  [['proxy', 'header_map', 'user'], 'X-Remote-User-Name'],
  [['logout_url'], '/'],
] as const;

/** The header by which ingress names the user. */
export const ingressHeaders = 'proxy_set_header X-Remote-User-Name $http_x_remote_user_name;\n';

const heading = `# Postern as an add-on. The add-on's options overwrite their keys at each start; everything else is yours.
`;

/**
 * Writes options into the text of config.yml; other keys and comments stay. An empty option leaves its key as it is.
 * @param text undefined: there is no file yet
 * @param behindDoor where ingress comes in, `host:port`
 * @returns the text as it was, if it can't be read: Postern says what is wrong with it
 */
export function withOptions(text: string | undefined, options: AddOnOptions, behindDoor: string): string {
  const document = parseDocument(text ?? heading, { version: '1.2' });
  const { contents } = document;
  if (document.errors.length > 0 || (contents !== null && !isMap(contents))) return text ?? heading;
  const before = document.toJS() as unknown;
  for (const [path, value] of keysOf(options, behindDoor)) setAt(document, path, value);
  const isSame = text !== undefined && JSON.stringify(before) === JSON.stringify(document.toJS());
  return isSame ? text : document.toString({ lineWidth: 0 });
}

type Key = readonly [path: readonly string[], value: unknown];

function keysOf({ ingress, upstream, database, users }: AddOnOptions, behindDoor: string): readonly Key[] {
  const given: readonly Key[] = [
    [['upstream'], upstream],
    [['events', 'database'], database],
  ];
  const userMap = Object.fromEntries(users.map(({ user, role }) => [user, role]));
  return [
    ...given.filter(([, value]) => value !== ''),
    ...(ingress
      ? [
          [['networking', 'listen', 'authenticated'], behindDoor] as const,
          ...ingressKeys,
          [['proxy', 'user_map'], userMap] as const,
        ]
      : []),
  ];
}

/** A section without a value becomes a map. */
function setAt(document: Document, path: readonly string[], value: unknown): void {
  path.slice(0, -1).forEach((_, i) => {
    const section = path.slice(0, i + 1);
    if (!isMap(document.getIn(section))) document.setIn(section, document.createNode({}));
  });
  document.setIn(path, document.createNode(value));
}
