export const api = {
  title: 'API',
  what: 'the API',
  intro:
    'What programs may ask of this site, with the cookie of a login or with a token as `Authorization: Bearer …`. For programs that read descriptions there is',
  parameters: 'Parameters',
  optional: 'May be left out.',
  body: 'Body',
  answers: 'Answers',
};
