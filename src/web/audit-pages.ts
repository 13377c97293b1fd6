/** The pages that tell why something was refused, with their texts; loaded together. */
export { AuditPage } from './audit-page.tsx';
export { RolePage } from './role-page.tsx';
