/** `ui.name` */
export const houseName = document.body.dataset['house'] ?? 'Postern';

/** Whether `ui.logo` is set. */
export const hasPicture = document.body.dataset['picture'] === 'yes';
