/** Whether the pages that a recorder's own UI has too, Explore and the start page, are ours. */
export const hasSharedPages = document.documentElement.dataset['sharedPages'] === 'yes';
