import type { Operation } from '../src/api/endpoint.ts';
import { code, table } from './markdown-table.ts';

const introduction = `# The API

Every operation of the gate, one per line. [openapi.json](openapi.json) has its parameters, its body with an example, and each answer. A
running gate has the same document at \`/postern/api/openapi.json\`, and a page to read it at \`/postern/account/api\`.

- Send the cookie of a session, or \`Authorization: Bearer …\` with a session token or an [API token](api-tokens.md). An API token can also
  be the password of \`Authorization: Basic\`. On the internal entry point everyone is admin.
- Bodies are JSON of at most 16 KiB. Times are seconds since the epoch; those of audit records are ISO 8601, as in the log.
- A list that comes in pages has \`next\`: send it as \`before\` to get the next page. On the last page it is \`null\`.
- An error is \`{"message": …, "code": …}\`. Invalid input is 422, with every problem:
  \`{"message":"A password has at least 12 characters","detail":[{"loc":["body","password"],"msg":"A password has at least 12 characters","type":"check"}]}\`.
- 401 means that no one is signed in, 403 that the role may not do this. Both have the id of the decision in
  \`x-postern-decision\`; \`script/postern explain\` shows its reason.
- A change that another site's page requests is refused, unless the request has a Bearer token ([reasons.md](reasons.md):
  \`cross_site\`).`;

/** @returns the text of docs/api.md */
export function apiPage(operations: readonly Operation[]): string {
  const parts = [introduction];
  for (const [tag, ofTag] of Map.groupBy(operations, (operation) => operation.tag))
    parts.push(`## ${tag}`, table(['request', 'for', 'what it does'], (ofTag ?? []).map(rowOf)));
  return `${parts.join('\n\n')}\n`;
}

const audiences = { anyone: 'anyone', 'any user': 'users', admin: 'admins' };

function rowOf({ method, path, summary, description, audience }: Operation): string[] {
  const meaning = [`${summary}.`, firstSentence(description)].filter((text) => text !== undefined);
  return [code(`${method.toUpperCase()} ${path}`), audiences[audience], meaning.join(' ')];
}

/** The rest is in openapi.json. */
function firstSentence(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^.+?\.(?=\s|$)/s.exec(text)?.[0];
}
