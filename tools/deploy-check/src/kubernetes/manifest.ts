export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Any object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
}

interface KeyReference {
  readonly name: string;
  readonly key: string;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: KeyReference };
  }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: unknown;
}

/** The pod part of a Deployment, a StatefulSet or a Job. */
export interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly selector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly [Container];
        readonly terminationGracePeriodSeconds?: number;
        readonly automountServiceAccountToken?: boolean;
        readonly securityContext: unknown;
        readonly topologySpreadConstraints?: readonly {
          readonly labelSelector: { readonly matchLabels: Readonly<Record<string, string>> };
        }[];
        readonly volumes?: readonly {
          readonly name: string;
          readonly secret: { readonly secretName: string };
        }[];
      };
    };
  };
}

export type Labels = Readonly<Record<string, string>>;

/** Whether the selector matches these labels. */
export function selects(selector: Labels, labels: Labels): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}
