import { z } from 'zod';
import { pageFields } from '../http/pagination.js';
import type { DetectionPage } from './recent-detections.js';

export const recentQuerySchema = z.strictObject({
  ...pageFields,
  cursor: z
    .string()
    .regex(/^\d{1,16}$/, 'must be a cursor that this service returned')
    .optional()
    .meta({ description: '`nextCursor` of the page before; leave out to start at the oldest that is kept' }),
});

const receivedDetectionSchema = z
  .object({
    cursor: z
      .int()
      .meta({ description: 'Its place in the order of arrival; it keeps rising across restarts' }),
    detectionId: z.string().meta({ description: 'The same for every delivery of one detection' }),
    subscriptionIdentifier: z.string(),
    workerUrl: z.string(),
    timestamp: z.string().meta({ description: 'When the worker made the detection' }),
    receivedAt: z.string().meta({ description: 'When it reached this process' }),
    redelivered: z.boolean().meta({ description: 'Whether it may already have been processed' }),
    data: z.looseObject({}).meta({ description: 'What the worker reported' }),
  })
  .meta({ id: 'ReceivedDetection' });

export const detectionPageSchema = z
  .object({
    items: z.array(receivedDetectionSchema),
    nextCursor: z.string().meta({
      description: 'Pass it as `cursor` to read on, now or later; it is never null, because more may follow',
    }),
    missed: z.boolean().meta({ description: 'Whether detections were dropped before they were read' }),
  })
  .meta({ id: 'DetectionPage' });

export const detectionStatsSchema = z
  .object({
    delivered: z.int().meta({ description: 'Detections handed to this process, duplicates included' }),
    duplicatesSeen: z.int().meta({ description: 'How many of them had the id of an earlier one' }),
    redelivered: z.int().meta({ description: 'How many of them were marked as redelivered' }),
    lastCursor: z.int(),
    history: z
      .object({
        stored: z.int().meta({ description: 'Written to the database by this process' }),
        dropped: z.int().meta({
          description: 'Not kept, because the database was unavailable or too slow, or refused them',
        }),
        waiting: z.int(),
      })
      .nullable()
      .meta({ description: 'Null unless DETECTION_HISTORY is on' }),
  })
  .meta({ id: 'DetectionStats' });

export type DetectionStatsView = z.infer<typeof detectionStatsSchema>;
export type DetectionPageView = Omit<DetectionPage, 'nextCursor'> & { nextCursor: string };
export type RecentQuery = z.infer<typeof recentQuerySchema>;
