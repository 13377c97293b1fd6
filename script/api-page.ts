import type { Answer, Operation } from '../src/api/endpoint.ts';

const introduction = `# The API

Every operation of the gate, as [openapi.json](openapi.json) describes it for programs. A running gate has the same document at
\`/postern/api/openapi.json\`, and a page to read it at \`/postern/account/api\`.

- Who asks says so by the cookie of a login, or by \`Authorization: Bearer …\` with a session token or an
  [API token](api-tokens.md), or by the latter as the password of \`Authorization: Basic\`. On the internal entry point everyone is admin.
- Bodies are JSON of at most 16 KiB. Times are seconds since the epoch; those of audit records are ISO 8601, as in the log.
- A list that comes in pages has \`next\`: give it as \`before\` to get the next page; it is \`null\` with the last.
- An error is \`{"message": …, "code": …}\`. What does not fit is 422 with every problem:
  \`{"message":"A password has at least 12 characters","detail":[{"loc":["body","password"],"msg":"A password has at least 12 characters","type":"check"}]}\`.
- 401 means that no one is identified, 403 that the role may not do it. Both have the id of the decision in
  \`x-postern-decision\`, and \`script/postern explain\` says why.
- A request that changes something and comes from another site's page is refused, when it rides on a cookie or on a place
  inside of the network.`;

/** @returns the text of docs/api.md */
export function apiPage(operations: readonly Operation[]): string {
  const parts = [introduction];
  for (const [tag, ofTag] of Map.groupBy(operations, (operation) => operation.tag)) {
    parts.push(`## ${tag}`);
    for (const operation of ofTag ?? []) parts.push(...sectionOf(operation));
  }
  return `${parts.join('\n\n')}\n`;
}

const audiences = { anyone: 'For anyone.', 'any user': 'For any user.', admin: 'For admins.' };

function sectionOf(operation: Operation): string[] {
  const { method, path, summary, description, audience, bodyExample, answers } = operation;
  const parameters = { ...operation.pathParameters, ...operation.queryParameters };
  return [
    `### \`${method.toUpperCase()} ${path}\``,
    [`${summary}.`, audiences[audience], description].filter((text) => text !== undefined).join(' '),
    ...(Object.keys(parameters).length === 0
      ? []
      : [
          Object.entries(parameters)
            .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
            .join('\n'),
        ]),
    ...(bodyExample === undefined ? [] : ['```json\n' + JSON.stringify(bodyExample) + '\n```']),
    Object.entries(answers).map(answerLine).join('\n'),
  ];
}

function answerLine([status, { meaning }]: [string, Answer]): string {
  return `- ${status}: ${meaning}`;
}
