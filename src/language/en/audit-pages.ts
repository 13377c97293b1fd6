/** The texts of the pages that explain decisions, which come with them: nobody else waits for those. */
export { audit } from './audit.ts';
export { roleView } from './role-view.ts';
