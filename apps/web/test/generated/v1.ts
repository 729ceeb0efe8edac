export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the token of this request
         * @description Whose it is, what it may do, and in which workspaces. Needs the scope `read`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the token of this request
         * @description It is refused from its next request on. Needs the scope `read`.
         */
        delete: operations["revokeOwnToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace}/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hosts
         * @description By name. Hosts that were removed are left out. Needs the scope `read`.
         */
        get: operations["listHosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosts/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a host
         * @description Needs the scope `read`.
         */
        get: operations["getHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosts/{host}/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a host's catalog
         * @description Servers, scenarios, tools and suites that the host knows, and why some do not work there. Needs the scope `read`.
         */
        get: operations["getCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Newest first. Filters are combined: a run has to match all of them. Needs the scope `read`.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Queue a run
         * @description The host takes it as soon as it is idle. A run that the host cannot do is refused at once, with the reason. Needs the scope `queue`.
         */
        post: operations["queueRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run, or wait for it
         * @description With `wait_s`, the response comes as soon as the run is over and has its verdict, or after that many seconds. Repeat the request until `ended_at` is set. Needs the scope `read`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description A run that is over stays as it is. Needs the scope `queue`.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of a run
         * @description What the run's page shows for each scenario: figures, ratios, intervals, verdicts and sentences. Needs the scope `read`.
         */
        get: operations["getResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run as a report shows it
         * @description The same fields as a run in a report's JSON, without samples and latency curves. No report is made. Needs the scope `read`.
         */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run}/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the records of a run
         * @description Every record as the agent wrote it, each as one line of JSON: the lines of a `rigmark run --out` file, without the tools' raw output. A page holds as many records as fit. Needs the scope `read`.
         */
        get: operations["getJournal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the trials of a run
         * @description In the order of the plan, invalid ones too. Needs the scope `read`.
         */
        get: operations["listTrials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{run}/trials/{trial}/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the samples of a trial
         * @description Needs the scope `read`.
         */
        get: operations["getSamples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow one label over time
         * @description The results of one label under one scenario, the newest run first. Each ratio is to the baseline of the same run. Needs the scope `read`.
         */
        get: operations["listSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reports
         * @description Newest first, revoked and expired ones too. Needs the scope `read`.
         */
        get: operations["listReports"];
        put?: never;
        /**
         * Make a report
         * @description A frozen copy of runs. Whoever has its address can read it, unless `visibility` is `private`. The name of the host is left out. Needs the scope `queue`.
         */
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a report's addresses
         * @description Needs the scope `read`.
         */
        get: operations["getReport"];
        put?: never;
        post?: never;
        /**
         * Revoke a report
         * @description Its address stops working within a second, for everybody and permanently. Needs the scope `queue`.
         */
        delete: operations["revokeReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace}/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin or resume publishing a file
         * @description The run keeps its id from the file, so the same file is always the same run. For each stream, continue with chunk `next_seq`. Needs the scope `publish`.
         */
        post: operations["createPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace}/publications/{publication}/streams/{stream}/chunks/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Send a chunk of the file
         * @description Whole lines of one stream: at most 256 KiB before compression, sent as gzip. A chunk that is already stored is accepted again. A chunk that comes too early is refused; the error has `next_seq`. Needs the scope `publish`.
         */
        put: operations["putPublicationChunk"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{workspace}/publications/{publication}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a publication
         * @description Everything that the totals count must be stored. The run ends as its last record states. Needs the scope `publish`.
         */
        post: operations["finishPublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in with a browser
         * @description Show `user_code` and `verification_url` to the person. Meanwhile, ask for the token every `interval_s` seconds.
         */
        post: operations["startDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collect the token
         * @description 202 until the person decides; 200 with the token, once; 410 if the sign-in was denied or has expired, or the token was already collected.
         */
        post: operations["collectDeviceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        RunRequest: {
            /** @description Id or exact name of a host of the workspace. */
            host: string;
            spec: components["schemas"]["RunSpec"];
            source?: components["schemas"]["Source"] | null;
        };
        /** @description What to measure: names from the host's catalog, and numbers within ranges. */
        RunSpec: {
            /** @constant */
            schema: 1;
            title: string;
            entries: {
                label: string;
                server: string;
                options: {
                    [key: string]: number;
                };
                revision?: string;
            }[];
            scenarios: string[];
            repeats: number;
            duration_s: number | null;
            warmup_s: number | null;
            baseline: string | null;
            seed: number;
            /** @default null */
            suite?: string | null;
            /** @default null */
            slice_s?: number | null;
            /** @default null */
            precision?: number | null;
            /** @default null */
            max_repeats?: number | null;
            time_limit_s?: number;
            /** @constant */
            tune?: true;
        };
        /** @description Which commit was measured, as stated by whoever queued or published the run. */
        Source: {
            repository: string;
            commit: string;
            /** @default null */
            branch?: string | null;
            /** @default null */
            pull_request?: number | null;
            /** @default null */
            base_commit?: string | null;
            /** @default false */
            dirty?: boolean;
        };
        ReportRequest: {
            /** @description The first one gives the report its verdict. */
            run_ids: string[];
            title?: string;
            /**
             * @description `link` (the default): whoever has the address; `public`: listed in Explore as well; `private`: signed-in members of the workspace.
             * @enum {string}
             */
            visibility?: "private" | "link" | "public";
            /**
             * @description Without it the report does not expire.
             * @enum {number}
             */
            expires_in_days?: 7 | 30 | 90;
        };
        PublicationHead: {
            begin: components["schemas"]["Begin"];
            /** @description Facts of the file's `environment`; null if the run ended before it had one. */
            facts: components["schemas"]["Facts"] | null;
            /** @description What the run is called; null: as in the file. */
            title: string | null;
            /** @description Which commit was measured. */
            source?: {
                repository: string;
                commit: string;
                /** @default null */
                branch?: string | null;
                /** @default null */
                pull_request?: number | null;
                /** @default null */
                base_commit?: string | null;
                /** @default false */
                dirty?: boolean;
            } | null;
        };
        /** @description Data of the file's first record. */
        Begin: {
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            attempt_id: string;
            attempt_no: number;
            wall_us: number;
            boot_id: string;
            agent_version: string;
            spec: {
                /** @constant */
                schema: 1;
                title: string;
                entries: {
                    label: string;
                    server: string;
                    options: {
                        [key: string]: number;
                    };
                    revision?: string;
                }[];
                scenarios: string[];
                repeats: number;
                duration_s: number | null;
                warmup_s: number | null;
                baseline: string | null;
                seed: number;
                /** @default null */
                suite?: string | null;
                /** @default null */
                slice_s?: number | null;
                /** @default null */
                precision?: number | null;
                /** @default null */
                max_repeats?: number | null;
                time_limit_s?: number;
                /** @constant */
                tune?: true;
            };
        };
        /** @description What a machine is. */
        Facts: {
            hostname: string;
            agent_version: string;
            agent_target: string;
            /** @enum {string} */
            os: "linux" | "macos";
            os_name: string | null;
            kernel: string | null;
            /** @enum {string} */
            arch: "x86_64" | "aarch64" | "arm";
            board: string | null;
            cpu_model: string | null;
            cpus_online: number | null;
            cores_physical: number | null;
            cpu_max_khz: number | null;
            memory_bytes: number | null;
            governor: string | null;
            turbo: boolean | null;
            mitigations: {
                [key: string]: string;
            } | null;
            virtualization: string | null;
            temperature_millic: number | null;
            throttle_flags: number | null;
            nofile_soft: number | null;
            nofile_hard: number | null;
            compiler: string | null;
            unsandboxed_reason: string | null;
            boot_id: string;
            checks: {
                id: string;
                title: string;
                /** @enum {string} */
                status: "ok" | "warn" | "fail" | "unknown";
                found: string;
                why: string | null;
                fix: string | null;
            }[];
            /** @default null */
            smt?: boolean | null;
            /** @default null */
            thp?: string | null;
            /** @default null */
            aslr?: number | null;
            /** @default null */
            noise?: {
                measured_wall_us: number;
                score: number | null;
                parts: {
                    /** @enum {string} */
                    id: "compute" | "memory" | "disk" | "scheduler" | "steal";
                    value: number | null;
                    /** @enum {string} */
                    unit: "ratio" | "us";
                    /** @enum {string} */
                    status: "ok" | "warn" | "fail" | "unknown";
                }[];
            } | null;
            /** @default null */
            calibration?: {
                measured_wall_us: number;
                server: string;
                scenario: string;
                /** @enum {string} */
                metric: "requests_per_s" | "p99_us" | "cpu_us_per_request";
                blocks: number;
                duration_s: number;
                sd_log_ratio: number;
                smallest: {
                    blocks: number;
                    difference: number;
                }[];
                fingerprint: string;
            } | null;
            tune?: {
                sets: string[];
                missing: string[];
            };
            owner_rules?: string[];
        };
        PublicationEnd: {
            streams: {
                journal: {
                    chunks: number;
                    records: number;
                    bytes: number;
                    digest: string;
                };
                raw: {
                    chunks: number;
                    records: number;
                    bytes: number;
                    digest: string;
                };
            };
            /** @description The file has no last record; its run becomes `incomplete`. */
            partial: boolean;
        };
        DeviceRequest: {
            /** @description What the person is shown, such as `rigmark on HOSTNAME`. */
            client: string;
        };
        DeviceTokenRequest: {
            device_code: string;
        };
        Me: {
            token: {
                /** Format: uuid */
                id: string;
                name: string;
                scopes: ("read" | "queue" | "publish" | "admin")[];
                expires_at: string | null;
            };
            /** @description Whose token it is; null for a token of a workspace. */
            person: components["schemas"]["Person"] | null;
            workspaces: {
                slug: string;
                name: string;
            }[];
        };
        Person: {
            name: string;
            email: string;
        };
        /** @description An error in the format of RFC 9457. */
        Problem: {
            /** @description Address of the documentation of this code. */
            type: string;
            title: string;
            status: number;
            /** @description What happened, and what to do next. */
            detail: string;
            /** @enum {string} */
            code: "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "gone" | "too_large" | "invalid" | "idempotency_mismatch" | "too_many" | "internal" | "unavailable";
            /** @description With `invalid`: each wrong field. */
            errors?: {
                path: string;
                detail: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        HostList: {
            items: components["schemas"]["Host"][];
            /** @description What to send as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
        };
        Host: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description `agent`: takes runs. `published`: known only by runs that were published from it.
             * @enum {string}
             */
            kind: "agent" | "published";
            /** @description The app heard from the agent within the last minute. */
            online: boolean;
            last_seen_at: string | null;
            os: ("linux" | "macos") | null;
            arch: ("x86_64" | "aarch64" | "arm") | null;
            cpu_model: string | null;
            /** @description CPUs that are online. */
            cores: number | null;
            agent_version: string | null;
        };
        Catalogue: {
            servers: {
                name: string;
                title: string;
                language: string;
                summary: string;
                license: string;
                workloads: ("plaintext" | "static" | "json-sum" | "ws-echo" | "upload" | "http")[];
                options: {
                    [key: string]: {
                        default: number;
                        min: number;
                        max: number;
                    };
                };
                content_hash: string;
                jit?: boolean;
                revisions?: boolean;
                supported: boolean;
                reason: string | null;
                fix: string | null;
            }[];
            scenarios: {
                scenario: {
                    /** @constant */
                    schema: 1;
                    id: string;
                    title: string;
                    summary: string;
                    /** @enum {string} */
                    workload: "plaintext" | "static" | "json-sum" | "ws-echo" | "upload" | "http";
                    /** @enum {string} */
                    tool: "ab" | "autocannon" | "h2load" | "k6" | "wrk" | "loadgen";
                    path: string;
                    body_bytes: number;
                    load: {
                        /** @constant */
                        kind: "closed";
                        connections: number;
                        keep_alive: boolean;
                    } | {
                        /** @constant */
                        kind: "rate";
                        rate_per_s: number;
                        connections: number;
                        keep_alive: boolean;
                    } | {
                        /** @constant */
                        kind: "count";
                        requests: number;
                        connections: number;
                        keep_alive: boolean;
                    } | {
                        /** @constant */
                        kind: "knee";
                        p99_us: number;
                        start_per_s: number;
                        most_per_s: number;
                        connections: number;
                        keep_alive: boolean;
                    };
                    payload?: {
                        /** @constant */
                        kind: "numbers";
                        count: number;
                    } | {
                        /** @constant */
                        kind: "bytes";
                        bytes: number;
                    } | {
                        /** @constant */
                        kind: "text";
                        bytes: number;
                    } | {
                        /** @constant */
                        kind: "greeting";
                    };
                    in_flight?: number;
                    /** @enum {string} */
                    latency_until?: "first-byte" | "last-byte";
                    duration_s: number;
                    warmup_s: number;
                    thresholds?: string[];
                    /** @enum {string} */
                    judged_by?: "requests_per_s" | "p99_us" | "cpu_us_per_request";
                    http?: {
                        requests: {
                            weight: number;
                            /** @enum {string} */
                            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                            path: string;
                            headers?: {
                                [key: string]: string;
                            };
                            body?: string;
                            body_base64?: string;
                            expect?: {
                                status?: number;
                                headers?: {
                                    [key: string]: string;
                                };
                                body_sha256?: string;
                                json?: {
                                    [key: string]: string | number | boolean;
                                };
                            };
                        }[];
                        same_but_for?: {
                            headers?: string[];
                            fields?: string[];
                        };
                        script?: {
                            name: string;
                            text: string;
                        };
                    };
                };
                settable?: ("connections" | "duration" | "in_flight" | "rate")[];
                supported: boolean;
                reason: string | null;
                fix: string | null;
            }[];
            tools: {
                /** @enum {string} */
                name: "ab" | "autocannon" | "h2load" | "k6" | "wrk" | "loadgen";
                version: string | null;
                supported: boolean;
                reason: string | null;
                fix: string | null;
            }[];
            /** @default [] */
            suites: {
                /** @constant */
                schema: 1;
                id: string;
                title: string;
                summary: string;
                source: {
                    title: string;
                    machine: string;
                } | null;
                entries: {
                    label: string;
                    server: string;
                    options: {
                        [key: string]: number;
                    };
                }[];
                baseline: string;
                scenarios: string[];
                repeats: number;
                duration_s: number | null;
                published: {
                    scenario: string;
                    server: string;
                    entry: string | null;
                    requests_per_s: number | null;
                    latency_us: number | null;
                    note: string | null;
                }[];
                mended: string[];
            }[];
        };
        RunList: {
            items: components["schemas"]["Run"][];
            /** @description What to send as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
        };
        Run: {
            /** Format: uuid */
            id: string;
            workspace: string;
            title: string;
            /**
             * @description `succeeded`, `failed`, `cancelled`, `timed_out` and `incomplete` are final.
             * @enum {string}
             */
            state: "queued" | "leased" | "preparing" | "measuring" | "uploading" | "cancelling" | "succeeded" | "failed" | "cancelled" | "timed_out" | "incomplete";
            host: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** Format: date-time */
            queued_at: string;
            started_at: string | null;
            ended_at: string | null;
            /**
             * Format: uri
             * @description The run's page, for members of the workspace.
             */
            url: string;
            spec: components["schemas"]["RunSpecOutput"];
            source: components["schemas"]["SourceOutput"] | null;
            /** @description Who published it; null: it was queued here. */
            published_by: string | null;
            /** @description What went wrong, and what to do next. */
            failure: string | null;
            /** @description Null until the run is over and has a result. */
            verdict: components["schemas"]["Verdict"] | null;
        };
        Verdict: {
            sentence: string;
            scenarios: {
                scenario: string;
                title: string;
                entries: {
                    label: string;
                    /** @description Against the baseline; null for the baseline itself and below five blocks. */
                    verdict: ("faster" | "slower" | "no difference shown" | "not comparable") | null;
                    /** @description The entry's metric ÷ the baseline's. */
                    ratio: number | null;
                    /** @description Where the 95 % confidence interval of the ratio begins. */
                    low: number | null;
                    /** @description Where it ends. */
                    high: number | null;
                }[];
            }[];
        };
        Results: {
            /** Format: uuid */
            run: string;
            /** @enum {string} */
            state: "queued" | "leased" | "preparing" | "measuring" | "uploading" | "cancelling" | "succeeded" | "failed" | "cancelled" | "timed_out" | "incomplete";
            /** @description The verdict; null before the first trial ended. */
            sentence: string | null;
            scenarios: {
                scenario: string;
                title: string;
                tool: string;
                /**
                 * @description What the entries are compared by.
                 * @enum {string}
                 */
                metric: "requests_per_s" | "p99_us" | "cpu_us_per_request" | "first_byte_p50_us";
                sentence: string;
                /** @description Label of the entry shown to be better than every other. */
                winner: string | null;
                /** @description Why no difference was shown. */
                no_verdict: {
                    /** @enum {string} */
                    code: "nothing-to-compare" | "failed-verification" | "baseline-failed-verification" | "too-few-blocks-asked" | "host-noisy" | "blocks-missing" | "blocks-invalid" | "tool-limit" | "rate-not-sustained" | "no-figure" | "no-spread" | "too-uncertain" | "no-difference";
                    sentence: string;
                } | null;
                blocks: {
                    needed: number;
                    asked: number | null;
                    measured: number;
                    counted: number;
                    disturbed: number;
                } | null;
                entries: {
                    label: string;
                    server: string;
                    baseline: boolean;
                    /** @description The best place that the entry can have, given the verdicts. */
                    rank: number | null;
                    /** @description The worst such place. */
                    rank_to: number | null;
                    verdict: ("faster" | "slower" | "no difference shown" | "not comparable") | null;
                    ratio: number | null;
                    low: number | null;
                    high: number | null;
                    /** @description If the load tool was the bottleneck: whether the true ratio is at least or at most this one. */
                    ratio_bound: ("at-least" | "at-most") | null;
                    /** @description The load tool limited it: its rate is written `≥ median`. */
                    lower_bound: boolean;
                    /** @description If the load tool was the bottleneck: whether its true latencies are at least or at most these. */
                    latency_bound: ("at-least" | "at-most") | null;
                    /** @description In how many valid trials it did not sustain the fixed rate; null if it did in all. */
                    not_sustained: {
                        trials: number;
                        of: number;
                        reason: string;
                    } | null;
                    /** @description Why its figures are not compared with those of other entries. */
                    unranked: {
                        code: string | null;
                        reason: string;
                    } | null;
                    trials_valid: number;
                    trials_invalid: number;
                    requests_per_s: components["schemas"]["Figure"] | null;
                    cpu_us_per_request: components["schemas"]["Figure"] | null;
                    rss_peak_bytes: components["schemas"]["Figure"] | null;
                    percentiles: {
                        p: number;
                        us: components["schemas"]["Figure"] | null;
                        rankable: boolean;
                        /** @description Why it does not count, counts only in some trials, or is not ranked. */
                        note: {
                            code: string | null;
                            reason: string;
                        } | null;
                    }[];
                    sentence: string;
                }[];
            }[];
            /** @description Remarks on the run, or on one entry of it. */
            labels: {
                code: string;
                message: string;
                label: string | null;
            }[];
            repeat_command: string;
        };
        /** @description A figure over the valid trials of an entry: how many, median, least, most, coefficient of variation. */
        Figure: {
            n: number;
            median: number;
            min: number;
            max: number;
            cv: number | null;
        };
        RunSnapshot: {
            /** Format: uuid */
            run_id: string;
            title: string;
            /** @enum {string} */
            state: "queued" | "leased" | "preparing" | "measuring" | "uploading" | "cancelling" | "succeeded" | "failed" | "cancelled" | "timed_out" | "incomplete";
            started_at: string | null;
            finished_at: string | null;
            source: components["schemas"]["SourceOutput"] | null;
            published_by: string | null;
            spec: components["schemas"]["RunSpecOutput"];
            /** @description Ways in which the run is incomplete, as sentences. */
            gaps: string[];
            /** @description The servers that compete, in the order of the plan. */
            entries: {
                [key: string]: unknown;
            }[];
            scenarios: {
                [key: string]: unknown;
            }[];
            blocks: {
                [key: string]: unknown;
            } | null;
            /** @description With what the load tool reported and what the trial used. */
            trials: {
                [key: string]: unknown;
            }[];
            verify: {
                [key: string]: unknown;
            }[];
            labels: {
                [key: string]: unknown;
            }[];
            /** @description The machine and its programs. */
            environment: {
                [key: string]: unknown;
            } | null;
            /** @description Medians, ratios, intervals, verdicts and sentences. */
            summary: {
                [key: string]: unknown;
            } | null;
            repeat_command: string;
        };
        Journal: {
            items: string[];
            /** @description What to send as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
        };
        TrialList: {
            items: components["schemas"]["Trial"][];
            /** @description What to send as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
        };
        Trial: {
            /** Format: uuid */
            id: string;
            /** @description Of the entry. */
            label: string;
            scenario: string;
            /** @description From 0. */
            block: number;
            /** @description Place within the block, from 0. */
            position: number;
            /** @enum {string} */
            state: "planned" | "running" | "valid" | "invalid" | "failed" | "cancelled";
            /** @description Why it is not valid. */
            reasons: {
                code: string;
                message: string;
            }[];
            labels: {
                code: string;
                message: string;
            }[];
            warmup_s: number;
            duration_s: number;
            /** @description What used up its processor time. */
            limit: ("server-bound" | "generator-bound" | "nothing-saturated") | null;
            /** @description What the load tool reported. */
            result: {
                /** @enum {string} */
                tool: "ab" | "autocannon" | "h2load" | "k6" | "wrk" | "loadgen";
                tool_version: string | null;
                duration_us: number;
                requests: number;
                failures: {
                    connect: number | null;
                    read: number | null;
                    write: number | null;
                    timeout: number | null;
                    status: number | null;
                    length: number | null;
                    /** @default null */
                    content: number | null;
                    other: number | null;
                    total: number;
                };
                bytes_received: number | null;
                bytes_scope: ("body" | "total") | null;
                requests_per_s: number;
                latency: {
                    mean_us: number | null;
                    min_us: number | null;
                    max_us: number | null;
                    stdev_us: number | null;
                    percentiles: {
                        p: number;
                        us: number;
                    }[];
                    resolution_us: number;
                    corrected: boolean;
                    /** @default null */
                    mean_ci95_us: number | null;
                    /** @default null */
                    outliers: number | null;
                    source: string;
                } | null;
                offered: {
                    rate_per_s: number;
                    requests: number;
                    dropped: number;
                } | null;
                statuses: {
                    [key: string]: number;
                } | null;
                thresholds_crossed: string[];
                /** @default null */
                connections: number | null;
                knee?: {
                    /** @enum {string} */
                    end: "found" | "above-most" | "below-start" | "unconfirmed";
                    p99_bound_us: number;
                    steps: {
                        rate_per_s: number;
                        duration_s: number;
                        p99_us: number | null;
                        lost_ratio: number | null;
                        /** @default null */
                        unsent_ratio: number | null;
                        /** @default null */
                        server_cores: number | null;
                        held: boolean;
                    }[];
                };
            } | null;
            /** @description What the server, load tool and host used during the trial. */
            resources: {
                window_us: number;
                server_cpu_us: number | null;
                tool_cpu_us: number | null;
                server_rss_peak_bytes: number | null;
                server_threads_max: number | null;
                server_context_switches: number | null;
                loopback_bytes: number | null;
                host_steal_ratio: number | null;
                /** @default null */
                host_taken_ratio: number | null;
                temperature_max_millic: number | null;
                server_cpus: number | null;
                tool_cpus: number | null;
                /** @default null */
                energy_uj: number | null;
                counters?: {
                    [key: string]: number;
                };
            } | null;
        };
        /** @description Cumulative counters of one trial, one column each. Null: not known. The load tool is started again for the measured window. */
        Samples: {
            /** Format: uuid */
            trial: string;
            /** @description Names of the columns below, in their order. */
            columns: string[];
            /** @description From the start of the measured window; negative during warm-up. */
            t_us: number[];
            measured: boolean[];
            /** @description As the load tool counted them. */
            requests: (number | null)[];
            loopback_bytes: (number | null)[];
            server_cpu_us: (number | null)[];
            server_rss_bytes: (number | null)[];
            tool_cpu_us: (number | null)[];
            /** @description Samples were left out to fit `points`. */
            thinned: boolean;
        };
        SeriesList: {
            items: components["schemas"]["SeriesPoint"][];
            /** @description What to send as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
        };
        SeriesPoint: {
            /** Format: uuid */
            run: string;
            ended_at: string | null;
            host: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** @description What the scenario is judged by. */
            metric: string;
            /** @description Median of the metric; null if it does not count. */
            figure: number | null;
            /** @description If the load tool was the bottleneck: whether the true figure is at least or at most this one. */
            bound: ("at-least" | "at-most") | null;
            /** @description To the baseline of the same run. */
            ratio: number | null;
            low: number | null;
            high: number | null;
            /** @description If the load tool was the bottleneck: whether the true ratio is at least or at most this one. */
            ratio_bound: ("at-least" | "at-most") | null;
            verdict: ("faster" | "slower" | "no difference shown" | "not comparable") | null;
            source: components["schemas"]["SourceOutput"] | null;
        };
        ReportList: {
            items: components["schemas"]["Report"][];
            /** @description What to send as `cursor` for the next page; null on the last one. */
            next_cursor: string | null;
        };
        Report: {
            slug: string;
            /** Format: uri */
            url: string;
            title: string;
            /** Format: date-time */
            created_at: string;
            revoked_at: string | null;
            /** @enum {string} */
            visibility: "private" | "link" | "public";
            expires_at: string | null;
            /** Format: uri */
            json_url: string;
            /** Format: uri */
            markdown_url: string;
            /**
             * Format: uri
             * @description PNG, 1200 × 630.
             */
            picture_url: string;
            /**
             * Format: uri
             * @description SVG.
             */
            badge_url: string;
        };
        Publication: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "queued" | "leased" | "preparing" | "measuring" | "uploading" | "cancelling" | "succeeded" | "failed" | "cancelled" | "timed_out" | "incomplete";
            /**
             * Format: uri
             * @description The run's page.
             */
            url: string;
            title: string;
            host: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            published_by: string;
            /** @description Nothing more can be added to it. */
            finished: boolean;
            streams: {
                journal: {
                    /** @description Number of the chunk to send next. */
                    next_seq: number;
                    /** @description Rolling, over the chunks so far: d(n+1) = sha256(d(n) ‖ sha256(chunk n)), d(0) = sha256 of nothing. */
                    digest: string;
                };
                raw: {
                    /** @description Number of the chunk to send next. */
                    next_seq: number;
                    /** @description Rolling, over the chunks so far: d(n+1) = sha256(d(n) ‖ sha256(chunk n)), d(0) = sha256 of nothing. */
                    digest: string;
                };
            };
        };
        ChunkTaken: {
            next_seq: number;
        };
        DeviceCodes: {
            /** @description For the program alone. */
            device_code: string;
            /** @description For the person. */
            user_code: string;
            /**
             * Format: uri
             * @description Where the person approves.
             */
            verification_url: string;
            /** @description Seconds to wait between two requests for the token. */
            interval_s: number;
            expires_in_s: number;
        };
        DeviceToken: {
            token: string;
            person: components["schemas"]["Person"];
        };
        DevicePending: {
            /** @constant */
            status: "pending";
        };
        /** @description What to measure: names from the host's catalog, and numbers within ranges. */
        RunSpecOutput: {
            /** @constant */
            schema: 1;
            title: string;
            entries: {
                label: string;
                server: string;
                options: {
                    [key: string]: number;
                };
                revision?: string;
            }[];
            scenarios: string[];
            repeats: number;
            duration_s: number | null;
            warmup_s: number | null;
            baseline: string | null;
            seed: number;
            /** @default null */
            suite: string | null;
            /** @default null */
            slice_s: number | null;
            /** @default null */
            precision: number | null;
            /** @default null */
            max_repeats: number | null;
            time_limit_s?: number;
            /** @constant */
            tune?: true;
        };
        /** @description Which commit was measured, as stated by whoever queued or published the run. */
        SourceOutput: {
            repository: string;
            commit: string;
            /** @default null */
            branch: string | null;
            /** @default null */
            pull_request: number | null;
            /** @default null */
            base_commit: string | null;
            /** @default false */
            dirty: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the token of this request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeOwnToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listHosts: {
        parameters: {
            query?: {
                /** @description Items of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List hosts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostList"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a host. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a host */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Host"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a host. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a host's catalog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalogue"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Items of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                state?: "queued" | "leased" | "preparing" | "measuring" | "uploading" | "cancelling" | "succeeded" | "failed" | "cancelled" | "timed_out" | "incomplete";
                /** @description Id or exact name of a host. */
                host?: string;
                /** @description `owner/name`, or any address of the repository. The host name in it is ignored. */
                repository?: string;
                branch?: string;
                /** @description The commit, or its first 7 digits or more. */
                commit?: string;
                pull_request?: number;
            };
            header?: never;
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    queueRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request repeated with the same key within 24 hours happens once, with the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunRequest"];
            };
        };
        responses: {
            /** @description Queue a run */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end. */
                wait_s?: number;
            };
            header?: never;
            path: {
                /** @description Id of a run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a run, or wait for it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request repeated with the same key within 24 hours happens once, with the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancel a run */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the results of a run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Results"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a run as a report shows it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunSnapshot"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJournal: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of a run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the records of a run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journal"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTrials: {
        parameters: {
            query?: {
                /** @description Items of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of a run. */
                run: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the trials of a run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialList"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSamples: {
        parameters: {
            query?: {
                /** @description Return at most about this many samples. */
                points?: number;
            };
            header?: never;
            path: {
                /** @description Id of a run. */
                run: string;
                /** @description Id of a trial of the run. */
                trial: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get the samples of a trial */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Samples"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSeries: {
        parameters: {
            query: {
                /** @description Items of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Label of the entry. */
                label: string;
                /** @description Id of the scenario. */
                scenario: string;
                /** @description Id or exact name of a host; without it all hosts. */
                host?: string;
            };
            header?: never;
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Follow one label over time */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeriesList"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** @description Items of a page. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List reports */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportList"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request repeated with the same key within 24 hours happens once, with the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportRequest"];
            };
        };
        responses: {
            /** @description Make a report */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the report's address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a report's addresses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            /** @description The caller is up to date (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the report's address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request repeated with the same key within 24 hours happens once, with the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublicationHead"];
            };
        };
        responses: {
            /** @description Begin or resume publishing a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Publication"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putPublicationChunk: {
        parameters: {
            query?: never;
            header: {
                /** @description Of the lines, before compression. */
                "x-rigmark-sha256": string;
                /** @description How many lines. */
                "x-rigmark-records": number;
            };
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
                /** @description Id of the run, as in its file. */
                publication: string;
                stream: "journal" | "raw";
                /** @description Number of the chunk within its stream, from 0. */
                seq: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/gzip": string;
            };
        };
        responses: {
            /** @description Send a chunk of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChunkTaken"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description A request repeated with the same key within 24 hours happens once, with the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The workspace's name in addresses. */
                workspace: string;
                /** @description Id of the run, as in its file. */
                publication: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublicationEnd"];
            };
        };
        responses: {
            /** @description End a publication */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Publication"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceRequest"];
            };
        };
        responses: {
            /** @description Begin a sign-in with a browser */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceCodes"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collectDeviceToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceTokenRequest"];
            };
        };
        responses: {
            /** @description Collect the token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceToken"];
                };
            };
            /** @description Not yet. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DevicePending"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
