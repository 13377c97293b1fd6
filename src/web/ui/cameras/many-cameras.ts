/** From so many cameras on, their names stand upright and without pictures, and they can be searched. */
export const manyCameras = 9;
