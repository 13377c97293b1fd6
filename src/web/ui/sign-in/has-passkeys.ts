/** Whether this browser has passkeys and reads them as JSON (WebAuthn Level 3), and the page came by TLS. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}
