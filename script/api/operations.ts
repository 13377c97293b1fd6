import * as v from 'valibot';
import {
  explainOperations,
  roleOperations,
  sessionOperations,
  userOperations,
} from './account-operations.ts';
import { eventOperations } from './event-operations.ts';
import type { Operation } from './operation.ts';
import { operatorOperations } from './operator-operations.ts';
import { activeSessionOperations } from './session-operations.ts';
import { tokenOperations } from './api-token-operations.ts';

const description: Operation = {
  method: 'get',
  path: '/api/openapi.json',
  tag: 'This description',
  summary: 'The API in the form of OpenAPI 3.1',
  audience: 'any user',
  answers: { 200: { meaning: 'An OpenAPI document.', body: v.looseObject({ openapi: v.string() }) } },
};

/** Everything that the API answers, in the order in which it is told. */
export const operations: readonly Operation[] = [
  ...sessionOperations,
  ...userOperations,
  ...roleOperations,
  ...activeSessionOperations,
  ...tokenOperations,
  ...explainOperations,
  ...eventOperations,
  ...operatorOperations,
  description,
];
