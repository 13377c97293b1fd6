/** API tokens begin with it, so secret scanners find them. */
export const apiTokenPrefix = 'postern_';

/** Whether a credential claims to be an API token. It cannot be a session token: a JWT begins with the base64url of a brace. */
export function isApiToken(credential: string): boolean {
  return credential.startsWith(apiTokenPrefix);
}

const bearerForm = /^bearer(?:[ \t]+(.*))?$/i;
const basicForm = /^basic[ \t]+(.*)$/i;
/** An API token, and the credential of a display, of this and of an earlier version. */
const tokenForm = /postern_[\w-]{43}|display_(?:[\w-]{43}|[\da-f-]{36}\.\d+\.[\w-]{43})/;
/** Base64 that has room for one, in either alphabet. */
const longBase64 = /[\w+/-]{68,}/g;
const base64Form = /^[A-Za-z0-9+/]+={0,2}$/;

/** Credentials that a client sends by Basic. */
export interface BasicCredentials {
  /** One character for each byte, like the password. */
  readonly user: string;
  readonly password: string;
  /** Whether every server decodes them alike: they are nothing but base64 (RFC 4648, 4). */
  readonly isPlain: boolean;
}

/** @returns the token of `Authorization: Bearer` (RFC 6750, 2.1); undefined for any other scheme */
export function bearerIn(authorization: string): string | undefined {
  const bearer = bearerForm.exec(authorization);
  return bearer === null ? undefined : (bearer[1] ?? '');
}

/** @returns the credentials of `Authorization: Basic` (RFC 7617, 2); `undefined` if there are none */
export function basicIn(authorization: string): BasicCredentials | undefined {
  const encoded = basicForm.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  if (colon === -1) return undefined;
  const [user, password] = [decoded.slice(0, colon), decoded.slice(colon + 1)];
  return { user, password, isPlain: base64Form.test(encoded) };
}

/**
 * Whether an `Authorization` has one of the gate's own credentials in it, in any place, and in any spelling that some server could decode:
 * an API token, the credential of a display, or, except as bearer, the token of a session.
 */
export function carriesOwnCredential(authorization: string): boolean {
  const bearer = bearerIn(authorization);
  if (bearer?.startsWith(apiTokenPrefix) === true) return true;
  const basic = basicIn(authorization);
  // Behind any colon: fronts that decode nothing cannot see which one is the first.
  if (basic !== undefined && `:${basic.password}`.includes(`:${apiTokenPrefix}`)) return true;
  const decoded = (authorization.match(longBase64) ?? []).map((text) => Buffer.from(text, 'base64'));
  const texts = [
    authorization,
    ...(basic === undefined ? [] : [basic.user, basic.password]),
    ...decoded.map((bytes) => bytes.toString('latin1')),
  ];
  // A bearer that is a JWT may be the recorder's own.
  return texts.some((text) => tokenForm.test(text) || (bearer === undefined && hasJwt(text)));
}

/** Anything that no part of a JWT has. */
const betweenJwts = /[^\w.-]+/;
const signatureLength = 43;

/** Whether a text has a JWT of HS256, such as that of a session: both parts begin with a brace. One expression for it took seconds. */
function hasJwt(text: string): boolean {
  return text.split(betweenJwts).some((word) => {
    const parts = word.split('.');
    return parts.some((head, i) => {
      const [payload = '', signature = ''] = parts.slice(i + 1, i + 3);
      return signature.length >= signatureLength && /^e[wy][\w-]/.test(payload) && /e[wy][\w-]/.test(head);
    });
  });
}
