import type { Operation } from '../src/api/endpoint.ts';
import { code } from './markdown-table.ts';

const introduction = `# The API

Every operation of Postern. You must be signed in, unless the line has "(anyone)"; some are for admins alone.
[openapi.json](openapi.json) has the details: parameters, a body with an example, and each answer. A running gate has it at
\`/postern/api/openapi.json\`, and a page to read it at \`/postern/account/api\`.

- Send the cookie of a session, or \`Authorization: Bearer …\` with a session token or an [API token](api-tokens.md). An API token can also
  be the password of \`Authorization: Basic\`. On the internal entry point everyone is admin.
- Bodies are JSON of at most 16 KiB. Times are seconds since the epoch; those of audit records are ISO 8601.
- A list that comes in pages has \`next\`: send it as \`before\` to get the next page. On the last page it is \`null\`.
- An error is \`{"message": …, "code": …}\`. Invalid input is 422, with every problem in \`detail\`.
- 401 means that no one is signed in, 403 that the role may not do this. \`x-postern-decision\` has the id of the decision, for
  [\`explain\`](access.md#why-was-this-refused).
- A change that another site's page requests is refused (\`cross_site\`), unless the request has a Bearer token.`;

/** @returns the text of docs/api.md */
export function apiPage(operations: readonly Operation[]): string {
  const parts = [introduction];
  for (const [tag, ofTag] of Map.groupBy(operations, (operation) => operation.tag))
    parts.push(`## ${tag}`, (ofTag ?? []).map(lineOf).join('\n'));
  return `${parts.join('\n\n')}\n`;
}

const audiences = { anyone: ' (anyone)', 'any user': '', admin: ' (admins)' };

function lineOf({ method, path, summary, audience }: Operation): string {
  return `- ${code(`${method.toUpperCase()} ${path}`)}${audiences[audience]}: ${summary}`;
}
