/** What `#audit-catalogue` stands for in the UI that is built in this language. */
export { audit } from './audit.ts';
export { roleView } from './role-view.ts';
