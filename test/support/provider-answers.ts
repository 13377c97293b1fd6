import type { ServerResponse } from 'node:http';

/** What a provider answers in place of what it should. */
export type OddAnswer = (response: ServerResponse) => void;

/** As RFC 6749, section 5.2: a token endpoint that refuses. */
export const errorAnswer =
  (error: string, status = 400): OddAnswer =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error, error_description: `the provider says ${error}` }));

/** A page, as a proxy in front of the provider shows it while the provider starts. */
export const htmlAnswer =
  (status = 200): OddAnswer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>One moment, please</h1>');

/** Valid JSON, and far too much of it. */
export const hugeAnswer: OddAnswer = (response) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ issuer: 'x'.repeat(1024 * 1024) }));

/** Bytes for as long as they are read. */
export const endlessAnswer: OddAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (response.write(' '.repeat(16_384)));
  };
  response.on('drain', more);
  more();
};
