export const api = {
  title: 'API',
  what: 'the API',
  intro:
    'How programs can use this site: with the cookie of a signed-in browser, or with a token as `Authorization: Bearer …`. The same as OpenAPI, for tools:',
  parameters: 'Parameters',
  optional: 'Optional.',
  body: 'Body',
  answers: 'Answers',
};
