/** Consumer group of every process stream. It has one consumer, the process itself. */
export const DELIVERY_GROUP = 'owner';
