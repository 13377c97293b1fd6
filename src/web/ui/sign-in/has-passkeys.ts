/** Whether this browser has passkeys and reads them as JSON (WebAuthn Level 3), on a page with TLS. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}
