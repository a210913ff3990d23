import type { MethodDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { ETCD_DESCRIPTOR } from './etcd-descriptor.js';

type Descriptor = Parameters<typeof fromJSON>[0];

const methods = new Map<string, MethodDefinition<object, object>>();

for (const service of Object.values(
  fromJSON(ETCD_DESCRIPTOR as Descriptor, {
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: false,
  }),
))
  if (!('format' in service))
    for (const method of Object.values(service))
      methods.set(method.path, method as MethodDefinition<object, object>);

/** How requests and responses of a call are written and read. */
export function etcdMethod(path: string): MethodDefinition<object, object> {
  const method = methods.get(path);
  if (!method) throw new Error(`etcd has no method ${path} here`);
  return method;
}
