/** Codes by time (RFC 6238) in the one form that every authenticator app knows: SHA-1, six digits, thirty seconds. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Steps by which the clocks of the gate and of the app may differ, either way (RFC 6238, 5.2). */
const drift = 1;

/** Bytes, as long as what HMAC-SHA-1 gives (RFC 4226, 4, R6). */
const secretLength = 20;

/** What somebody may type: apps show two groups of three. */
const typedCode = /^\d{3} ?\d{3}$/;

// Loaded by whoever uses it first: most gates never do.
const library = () => import('otpauth');

/** @returns a new secret in Base32, as people type it into an app that cannot read the picture */
export async function newCodeSecret(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: secretLength }).base32;
}

/** @returns the `otpauth:` address that an app reads from a QR code */
export async function setupUrl(secret: string, username: string): Promise<string> {
  const { TOTP } = await library();
  return new TOTP({ ...form, secret, label: username, issuer: 'Postern' }).toString();
}

/**
 * @param now milliseconds since the epoch
 * @returns the time step that the code is of, whose code is to be taken once; undefined: it is none of this moment
 */
export async function stepOfCode(code: string, secret: string, now: number): Promise<number | undefined> {
  if (!typedCode.test(code)) return undefined;
  const { Secret, TOTP } = await library();
  const token = code.replace(' ', '');
  const delta = TOTP.validate({
    ...form,
    secret: Secret.fromBase32(secret),
    token,
    timestamp: now,
    window: drift,
  });
  return delta === null ? undefined : TOTP.counter({ period: form.period, timestamp: now }) + delta;
}
