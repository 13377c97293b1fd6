/** The provider's cookies in a user's browser. */
export type Cookies = Map<string, string>;

/**
 * What a browser does at the provider, without one: it follows redirects, keeps cookies, and sends the form of each page
 * with what the user types.
 * @returns the first address outside the provider, or undefined when the way ends at a page of its own
 * @throws with the page when the provider shows an error
 */
export async function walkThrough(
  issuer: string,
  start: string,
  cookies: Cookies,
  typed: Readonly<Record<string, string>>,
): Promise<URL | undefined> {
  let url = new URL(start);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step += 1) {
    if (url.origin !== issuer) return url;
    const answer: Response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: form }),
    });
    keep(cookies, answer.headers.getSetCookie());
    const page = await answer.text();
    const location = answer.headers.get('location');
    if (location !== null) {
      url = new URL(location, url);
      form = undefined;
      continue;
    }
    if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status} ${page}`);
    const action = /<form[^>]* action="([^"]*)"/.exec(page)?.[1];
    if (action === undefined) return undefined;
    url = new URL(action, url);
    form = new URLSearchParams({ ...hidden(page), ...typed });
  }
  throw new Error(`the provider leads in a circle: ${url.href}`);
}

function keep(cookies: Cookies, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
}

function hidden(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}
