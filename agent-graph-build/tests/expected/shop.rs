/// Provider `shop/release`, version 1.2.0.
///
/// How a release is made.
///
/// \[Not\] a \<link\>, nor \`code\`.
#[allow(
    dead_code,
    unreachable_pub,
    reason = "a host uses the names it needs, and may keep the module to itself"
)]
#[allow(
    unused_qualifications,
    reason = "full paths keep the module independent of what is in scope around it"
)]
#[allow(
    clippy::wildcard_imports,
    clippy::unreadable_literal,
    reason = "rows are for the compiler"
)]
#[allow(
    clippy::doc_markdown,
    rustdoc::bare_urls,
    reason = "descriptions are plain text"
)]
#[allow(
    clippy::enum_variant_names,
    clippy::module_inception,
    clippy::module_name_repetitions,
    reason = "names follow the ids of the definition"
)]
#[allow(clippy::too_many_lines, reason = "a graph may have thousands of nodes")]
pub mod shop {
    ::agent_graph_runtime::generated::table_format!(1, "agent-graph-build 0.1.0");
    /// Provider `shop/release`, version 1.2.0.
    ///
    /// How a release is made.
    ///
    /// \[Not\] a \<link\>, nor \`code\`.
    pub const PROVIDER: ::agent_graph_runtime::Provider = ::agent_graph_runtime::Provider::__from_static(
        &tables::TABLES,
    );
    /// The handlers that host actions name.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[repr(u16)]
    pub enum Handler {
        /// `tide.render-brief/v1`.
        TideRenderBriefV1,
    }
    impl Handler {
        /// Every one.
        pub const ALL: &'static [Self] = &[Self::TideRenderBriefV1];
        /// The name as it is written in the definition.
        #[must_use]
        pub fn as_str(self) -> &'static str {
            ::agent_graph_runtime::generated::listed_name(
                &tables::TABLES,
                &tables::HANDLERS,
                self as u16,
            )
        }
    }
    impl ::agent_graph_runtime::generated::Name for Handler {
        const ALL: &'static [Self] = Self::ALL;
        const EXPECTED: &'static str = "handler";
        fn as_str(self) -> &'static str {
            Self::as_str(self)
        }
    }
    ::agent_graph_runtime::generated::impl_name!(Handler);
    /// The authorities that gates name.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[repr(u16)]
    pub enum Authority {
        /// `release-manager`.
        ReleaseManager,
    }
    impl Authority {
        /// Every one.
        pub const ALL: &'static [Self] = &[Self::ReleaseManager];
        /// The name as it is written in the definition.
        #[must_use]
        pub fn as_str(self) -> &'static str {
            ::agent_graph_runtime::generated::listed_name(
                &tables::TABLES,
                &tables::AUTHORITIES,
                self as u16,
            )
        }
    }
    impl ::agent_graph_runtime::generated::Name for Authority {
        const ALL: &'static [Self] = Self::ALL;
        const EXPECTED: &'static str = "authority";
        fn as_str(self) -> &'static str {
            Self::as_str(self)
        }
    }
    ::agent_graph_runtime::generated::impl_name!(Authority);
    /// The reasons for which a route is offered.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[repr(u16)]
    pub enum ReasonCode {
        /// `route.approve`.
        ///
        /// Somebody has to look.
        RouteApprove,
        /// `route.audit.check`.
        RouteAuditCheck,
        /// `route.scan`.
        RouteScan,
    }
    impl ReasonCode {
        /// Every one.
        pub const ALL: &'static [Self] = &[
            Self::RouteApprove,
            Self::RouteAuditCheck,
            Self::RouteScan,
        ];
        /// The name as it is written in the definition.
        #[must_use]
        pub fn as_str(self) -> &'static str {
            ::agent_graph_runtime::generated::listed_name(
                &tables::TABLES,
                &tables::REASON_CODES,
                self as u16,
            )
        }
    }
    impl ::agent_graph_runtime::generated::Name for ReasonCode {
        const ALL: &'static [Self] = Self::ALL;
        const EXPECTED: &'static str = "reason code";
        fn as_str(self) -> &'static str {
            Self::as_str(self)
        }
    }
    ::agent_graph_runtime::generated::impl_name!(ReasonCode);
    /// The graphs, each with its own names.
    pub mod graphs {
        /// Graph `release`.
        ///
        /// From source
        /// to registry.
        #[cfg_attr(
            doc,
            doc = "\n <div>\n <svg xmlns=\"http://www.w3.org/2000/svg\" class=\"agent-graph\" role=\"img\" aria-label=\"Graph release\" viewBox=\"0 0 700 482\" width=\"700\" height=\"482\" font-family=\"sans-serif\" font-size=\"13\" fill=\"none\" stroke-width=\"1.5\">\n <style>svg:root.agent-graph{color-scheme:light dark;color:CanvasText;background:Canvas}.agent-graph text{font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}.agent-graph .done{color:#2c9459}.agent-graph .next{color:#2a7ade}.agent-graph .waiting{color:#bb7d00}.agent-graph .blocked{color:#d64545}</style>\n <text x=\"16\" y=\"28.9\" text-anchor=\"start\" fill=\"currentColor\" font-weight=\"bold\">release</text>\n <text x=\"16\" y=\"45.9\" text-anchor=\"start\" fill=\"currentColor\">From source to registry.</text>\n <path d=\"M100.5 103.5L100.5 117L100.5 117L100.5 149L100.5 166L100.5 198L100.5 198L100.5 189\" stroke=\"currentColor\"/>\n <path d=\"M100.5 198L105 189L96 189Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <path d=\"M261.7 243L261.7 265L261.7 265L261.7 297L261.7 297C261.7 313 194.1 313 194.1 329L194.1 329L194.1 329\" stroke=\"currentColor\"/>\n <path d=\"M194.1 338L198.6 329L189.6 329Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <path d=\"M100.5 265L100.5 265L100.5 265L100.5 297L100.5 297C100.5 313 168.1 313 168.1 329L168.1 329L168.1 329\" stroke=\"currentColor\"/>\n <path d=\"M168.1 338L172.6 329L163.6 329Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <path d=\"M245 346.5C271 342.5 271 366.5 254 362.5\" stroke=\"currentColor\" stroke-dasharray=\"9 3 2 3\"/>\n <path d=\"M245 362.5L254 358L254 367Z\" fill=\"none\" stroke=\"currentColor\"/>\n <text x=\"322\" y=\"341.9\" text-anchor=\"middle\" fill=\"currentColor\">completed,</text>\n <text x=\"322\" y=\"358.9\" text-anchor=\"middle\" fill=\"currentColor\">partial, failed,</text>\n <text x=\"322\" y=\"375.9\" text-anchor=\"middle\" fill=\"currentColor\">unverified,…</text>\n <path d=\"M380.3 108.5L380.3 117L380.3 117L380.3 149L380.3 149\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>\n <path d=\"M380.3 166L380.3 166L380.3 198L380.3 198L380.3 204\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>\n <path d=\"M380.3 213L384.3 208.5L380.3 204L376.3 208.5Z\" fill=\"none\" stroke=\"currentColor\"/>\n <text x=\"380.3\" y=\"161.9\" text-anchor=\"middle\" fill=\"currentColor\">at default</text>\n <path d=\"M641.9 108.5L641.9 117L641.9 117L641.9 149L641.9 149\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>\n <path d=\"M641.9 166L641.9 166L641.9 198L641.9 198L641.9 204\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>\n <path d=\"M641.9 213L645.9 208.5L641.9 204L637.9 208.5Z\" fill=\"none\" stroke=\"currentColor\"/>\n <text x=\"641.9\" y=\"161.9\" text-anchor=\"middle\" fill=\"currentColor\">at default</text>\n <g>\n <path d=\"M22 198L179.1 198A6 6 0 0 1 185.1 204L185.1 259A6 6 0 0 1 179.1 265L22 265A6 6 0 0 1 16 259L16 204A6 6 0 0 1 22 198Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"100.5\" y=\"218.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">scan.review</text>\n <text x=\"100.5\" y=\"235.9\" text-anchor=\"middle\" fill=\"currentColor\">Looks at *all* files.</text>\n <text x=\"100.5\" y=\"252.9\" text-anchor=\"middle\" fill=\"currentColor\">priority: -1000</text>\n </g>\n <g>\n <path d=\"M123.2 338L239 338A6 6 0 0 1 245 344L245 365A6 6 0 0 1 239 371L123.2 371A6 6 0 0 1 117.2 365L117.2 344A6 6 0 0 1 123.2 338Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"181.1\" y=\"358.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">scan-review</text>\n </g>\n <g>\n <path d=\"M338.2 75.5L422.3 75.5L422.3 108.5L338.2 108.5ZM346.2 75.5L346.2 108.5M414.3 75.5L414.3 108.5\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"380.3\" y=\"96.4\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">audit</text>\n </g>\n <g>\n <path d=\"M199.4 92L215.4 75.5L267.4 75.5L283.4 92L267.4 108.5L215.4 108.5Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"241.4\" y=\"96.4\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">self</text>\n </g>\n <g>\n <path d=\"M599.9 75.5L683.9 75.5L683.9 108.5L599.9 108.5ZM607.9 75.5L607.9 108.5M675.9 75.5L675.9 108.5\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"641.9\" y=\"96.4\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">1st</text>\n </g>\n <g>\n <path d=\"M479.3 67L542.9 67A25 25 0 0 1 567.9 92L567.9 92A25 25 0 0 1 542.9 117L479.3 117A25 25 0 0 1 454.3 92L454.3 92A25 25 0 0 1 479.3 67Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"511.1\" y=\"87.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">shipped</text>\n <text x=\"511.1\" y=\"104.9\" text-anchor=\"middle\" fill=\"currentColor\">completed</text>\n </g>\n <g>\n <path d=\"M56.5 103.5L144.5 103.5\" fill=\"currentColor\" fill-opacity=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"100.5\" y=\"96.4\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">default</text>\n </g>\n <g>\n <path d=\"M217.1 243L306.3 243\" fill=\"currentColor\" fill-opacity=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"261.7\" y=\"235.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">2nd-try</text>\n </g>\n <g>\n <path d=\"M338.3 213L410.3 213L422.3 225L422.3 250L338.3 250ZM410.3 213L410.3 225L422.3 225\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"/>\n <text x=\"380.3\" y=\"235.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">audit</text>\n </g>\n <g>\n <path d=\"M599.9 213L671.9 213L683.9 225L683.9 250L599.9 250ZM671.9 213L671.9 225L683.9 225\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"/>\n <text x=\"641.9\" y=\"235.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">type</text>\n </g>\n <path d=\"M16 432L46 432\" fill=\"currentColor\" fill-opacity=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"54\" y=\"427.4\" text-anchor=\"start\" fill=\"currentColor\">entry</text>\n <path d=\"M114.3 414L132.3 414A6 6 0 0 1 138.3 420L138.3 426A6 6 0 0 1 132.3 432L114.3 432A6 6 0 0 1 108.3 426L108.3 420A6 6 0 0 1 114.3 414Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"146.3\" y=\"427.4\" text-anchor=\"start\" fill=\"currentColor\">action</text>\n <path d=\"M208 423L217 414L229 414L238 423L229 432L217 432Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"246\" y=\"427.4\" text-anchor=\"start\" fill=\"currentColor\">gate</text>\n <path d=\"M294.8 414L324.8 414L324.8 432L294.8 432ZM298.5 414L298.5 432M321 414L321 432\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"332.8\" y=\"427.4\" text-anchor=\"start\" fill=\"currentColor\">subgraph</text>\n <path d=\"M424.4 414L436.4 414A9 9 0 0 1 445.4 423L445.4 423A9 9 0 0 1 436.4 432L424.4 432A9 9 0 0 1 415.4 423L415.4 423A9 9 0 0 1 424.4 414Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"453.4\" y=\"427.4\" text-anchor=\"start\" fill=\"currentColor\">terminal</text>\n <path d=\"M529.5 414L553.5 414L559.5 420L559.5 432L529.5 432ZM553.5 414L553.5 420L559.5 420\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"/>\n <text x=\"567.5\" y=\"427.4\" text-anchor=\"start\" fill=\"currentColor\">called graph</text>\n <path d=\"M16 449L37 449\" stroke=\"currentColor\"/>\n <path d=\"M46 449L37 453.5L37 444.5Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <text x=\"54\" y=\"453.4\" text-anchor=\"start\" fill=\"currentColor\">next</text>\n <path d=\"M102.8 449L123.8 449\" stroke=\"currentColor\" stroke-dasharray=\"9 3 2 3\"/>\n <path d=\"M132.8 449L123.8 453.5L123.8 444.5Z\" fill=\"none\" stroke=\"currentColor\"/>\n <text x=\"140.8\" y=\"453.4\" text-anchor=\"start\" fill=\"currentColor\">repeat</text>\n <path d=\"M203.5 449L224.5 449\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>\n <path d=\"M233.5 449L229 453L224.5 449L229 445Z\" fill=\"none\" stroke=\"currentColor\"/>\n <text x=\"241.5\" y=\"453.4\" text-anchor=\"start\" fill=\"currentColor\">calls</text>\n </svg>\n </div>\n"
        )]
        pub mod release {
            /// The graph `release` as a type.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct Graph;
            impl ::agent_graph_runtime::Graph for Graph {
                type Step = Step;
                const ID: &'static str = "release";
                const SHAPE: [u8; 32] = *b"\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD";
                fn step(
                    mut path: ::agent_graph_runtime::StepPath<'_>,
                ) -> ::core::option::Option<Step> {
                    ::core::option::Option::Some(
                        match ::core::iter::Iterator::next(&mut path)? {
                            3 => Step::ScanDotReview,
                            2 => Step::ScanDashReview,
                            0 => {
                                Step::Audit(
                                    <super::audit::Graph as ::agent_graph_runtime::Graph>::step(
                                        path,
                                    )?,
                                )
                            }
                            4 => Step::SelfNode,
                            _ => return ::core::option::Option::None,
                        },
                    )
                }
            }
            /// The entry points of graph `release`.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(u16)]
            pub enum Entry {
                /// `default`, which starts at node `scan.review`.
                Default,
                /// `2nd-try`, which starts at node `scan-review`.
                N2ndTry,
            }
            impl Entry {
                /// Every one.
                pub const ALL: &'static [Self] = &[Self::Default, Self::N2ndTry];
                /// The name as it is written in the definition.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    ::agent_graph_runtime::generated::entry_name(
                        &super::super::tables::TABLES,
                        0,
                        self as u16,
                    )
                }
            }
            impl ::agent_graph_runtime::generated::Name for Entry {
                const ALL: &'static [Self] = Self::ALL;
                const EXPECTED: &'static str = "entry of graph `release`";
                fn as_str(self) -> &'static str {
                    Self::as_str(self)
                }
            }
            ::agent_graph_runtime::generated::impl_name!(Entry);
            impl Entry {
                /// Evaluates the graph from this entry.
                #[must_use]
                pub fn evaluate(
                    self,
                    state: &::agent_graph_runtime::State,
                ) -> ::agent_graph_runtime::Evaluation<Graph> {
                    ::agent_graph_runtime::generated::evaluate(
                        super::super::PROVIDER,
                        0,
                        self as u16,
                        state,
                    )
                }
            }
            /// The nodes of graph `release`.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(u16)]
            pub enum Node {
                /// `scan.review`, an action with reason `route.scan`.
                ///
                /// Looks at \*all\* files.
                #[cfg_attr(
                    doc,
                    doc = "\n Edges:\n\n * to `scan-review`, when it is `completed`"
                )]
                ScanDotReview,
                /// `scan-review`, an action with reason `route.scan`.
                #[cfg_attr(
                    doc,
                    doc = "\n Edges:\n\n * again `scan-review`, when it is of any outcome"
                )]
                ScanDashReview,
                /// `audit`, which calls graph `audit`.
                Audit,
                /// `self`, a gate with reason `route.approve`.
                SelfNode,
                /// `1st`, which calls graph `type`.
                N1st,
                /// `shipped`, which ends the graph as `completed`.
                Shipped,
            }
            impl Node {
                /// Every one.
                pub const ALL: &'static [Self] = &[
                    Self::ScanDotReview,
                    Self::ScanDashReview,
                    Self::Audit,
                    Self::SelfNode,
                    Self::N1st,
                    Self::Shipped,
                ];
                /// The name as it is written in the definition.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    ::agent_graph_runtime::generated::node_id(
                        &super::super::tables::TABLES,
                        0,
                        self as u16,
                    )
                }
            }
            impl ::agent_graph_runtime::generated::Name for Node {
                const ALL: &'static [Self] = Self::ALL;
                const EXPECTED: &'static str = "node of graph `release`";
                fn as_str(self) -> &'static str {
                    Self::as_str(self)
                }
            }
            ::agent_graph_runtime::generated::impl_name!(Node);
            /// What can be next in graph `release`: its actions and gates, and below the nodes that call other graphs the steps of those.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            pub enum Step {
                /// `scan.review`, an action with reason `route.scan`.
                ///
                /// Looks at \*all\* files.
                ScanDotReview,
                /// `scan-review`, an action with reason `route.scan`.
                ScanDashReview,
                /// `audit`, which calls graph `audit`.
                Audit(super::audit::Step),
                /// `self`, a gate with reason `route.approve`.
                SelfNode,
            }
            impl Step {
                /// The node of this graph that is the step, or that calls the graph of the step.
                #[must_use]
                pub fn node(self) -> Node {
                    match self {
                        Self::ScanDotReview => Node::ScanDotReview,
                        Self::ScanDashReview => Node::ScanDashReview,
                        Self::Audit(_) => Node::Audit,
                        Self::SelfNode => Node::SelfNode,
                    }
                }
            }
            impl ::core::fmt::Debug for Step {
                fn fmt(
                    &self,
                    f: &mut ::core::fmt::Formatter<'_>,
                ) -> ::core::fmt::Result {
                    match self {
                        Self::Audit(step) => {
                            ::core::write!(f, "{:?}({:?})", Node::Audit, step)
                        }
                        _ => ::core::fmt::Debug::fmt(&self.node(), f),
                    }
                }
            }
        }
        /// Graph `audit`.
        #[cfg_attr(
            doc,
            doc = "\n <div>\n <svg xmlns=\"http://www.w3.org/2000/svg\" class=\"agent-graph\" role=\"img\" aria-label=\"Graph audit\" viewBox=\"0 0 321 299\" width=\"321\" height=\"299\" font-family=\"sans-serif\" font-size=\"13\" fill=\"none\" stroke-width=\"1.5\">\n <style>svg:root.agent-graph{color-scheme:light dark;color:CanvasText;background:Canvas}.agent-graph text{font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}.agent-graph .done{color:#2c9459}.agent-graph .next{color:#2a7ade}.agent-graph .waiting{color:#bb7d00}.agent-graph .blocked{color:#d64545}</style>\n <text x=\"16\" y=\"28.9\" text-anchor=\"start\" fill=\"currentColor\" font-weight=\"bold\">audit</text>\n <path d=\"M187.1 86.5L187.1 100L187.1 100L187.1 132L187.1 132L187.1 164L187.1 164L187.1 155\" stroke=\"currentColor\"/>\n <path d=\"M187.1 164L191.6 155L182.6 155Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <g>\n <path d=\"M151.1 164L223.1 164A6 6 0 0 1 229.1 170L229.1 191A6 6 0 0 1 223.1 197L151.1 197A6 6 0 0 1 145.1 191L145.1 170A6 6 0 0 1 151.1 164Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"187.1\" y=\"184.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">check</text>\n </g>\n <g>\n <path d=\"M41 50L86.1 50A25 25 0 0 1 111.1 75L111.1 75A25 25 0 0 1 86.1 100L41 100A25 25 0 0 1 16 75L16 75A25 25 0 0 1 41 50Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"63.6\" y=\"70.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">done</text>\n <text x=\"63.6\" y=\"87.9\" text-anchor=\"middle\" fill=\"currentColor\">blocked</text>\n </g>\n <g>\n <path d=\"M143.1 86.5L231.1 86.5\" fill=\"currentColor\" fill-opacity=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"187.1\" y=\"79.4\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">default</text>\n </g>\n <path d=\"M16 249L46 249\" fill=\"currentColor\" fill-opacity=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"54\" y=\"244.4\" text-anchor=\"start\" fill=\"currentColor\">entry</text>\n <path d=\"M114.3 231L132.3 231A6 6 0 0 1 138.3 237L138.3 243A6 6 0 0 1 132.3 249L114.3 249A6 6 0 0 1 108.3 243L108.3 237A6 6 0 0 1 114.3 231Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"146.3\" y=\"244.4\" text-anchor=\"start\" fill=\"currentColor\">action</text>\n <path d=\"M217 231L229 231A9 9 0 0 1 238 240L238 240A9 9 0 0 1 229 249L217 249A9 9 0 0 1 208 240L208 240A9 9 0 0 1 217 231Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"246\" y=\"244.4\" text-anchor=\"start\" fill=\"currentColor\">terminal</text>\n <path d=\"M16 266L37 266\" stroke=\"currentColor\"/>\n <path d=\"M46 266L37 270.5L37 261.5Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <text x=\"54\" y=\"270.4\" text-anchor=\"start\" fill=\"currentColor\">next</text>\n </svg>\n </div>\n"
        )]
        pub mod audit {
            /// The graph `audit` as a type.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct Graph;
            impl ::agent_graph_runtime::Graph for Graph {
                type Step = Step;
                const ID: &'static str = "audit";
                const SHAPE: [u8; 32] = *b"\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD";
                fn step(
                    mut path: ::agent_graph_runtime::StepPath<'_>,
                ) -> ::core::option::Option<Step> {
                    ::core::option::Option::Some(
                        match ::core::iter::Iterator::next(&mut path)? {
                            0 => Step::Check,
                            _ => return ::core::option::Option::None,
                        },
                    )
                }
            }
            /// The entry points of graph `audit`.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(u16)]
            pub enum Entry {
                /// `default`, which starts at node `check`.
                Default,
            }
            impl Entry {
                /// Every one.
                pub const ALL: &'static [Self] = &[Self::Default];
                /// The name as it is written in the definition.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    ::agent_graph_runtime::generated::entry_name(
                        &super::super::tables::TABLES,
                        2,
                        self as u16,
                    )
                }
            }
            impl ::agent_graph_runtime::generated::Name for Entry {
                const ALL: &'static [Self] = Self::ALL;
                const EXPECTED: &'static str = "entry of graph `audit`";
                fn as_str(self) -> &'static str {
                    Self::as_str(self)
                }
            }
            ::agent_graph_runtime::generated::impl_name!(Entry);
            impl Entry {
                /// Evaluates the graph from this entry.
                #[must_use]
                pub fn evaluate(
                    self,
                    state: &::agent_graph_runtime::State,
                ) -> ::agent_graph_runtime::Evaluation<Graph> {
                    ::agent_graph_runtime::generated::evaluate(
                        super::super::PROVIDER,
                        2,
                        self as u16,
                        state,
                    )
                }
            }
            /// The nodes of graph `audit`.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(u16)]
            pub enum Node {
                /// `check`, an action with reason `route.audit.check`.
                Check,
                /// `done`, which ends the graph as `blocked`.
                Done,
            }
            impl Node {
                /// Every one.
                pub const ALL: &'static [Self] = &[Self::Check, Self::Done];
                /// The name as it is written in the definition.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    ::agent_graph_runtime::generated::node_id(
                        &super::super::tables::TABLES,
                        6,
                        self as u16,
                    )
                }
            }
            impl ::agent_graph_runtime::generated::Name for Node {
                const ALL: &'static [Self] = Self::ALL;
                const EXPECTED: &'static str = "node of graph `audit`";
                fn as_str(self) -> &'static str {
                    Self::as_str(self)
                }
            }
            ::agent_graph_runtime::generated::impl_name!(Node);
            /// What can be next in graph `audit`: its actions and gates, and below the nodes that call other graphs the steps of those.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            pub enum Step {
                /// `check`, an action with reason `route.audit.check`.
                Check,
            }
            impl Step {
                /// The node of this graph that is the step, or that calls the graph of the step.
                #[must_use]
                pub fn node(self) -> Node {
                    match self {
                        Self::Check => Node::Check,
                    }
                }
            }
            impl ::core::fmt::Debug for Step {
                fn fmt(
                    &self,
                    f: &mut ::core::fmt::Formatter<'_>,
                ) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.node(), f)
                }
            }
        }
        /// Graph `type`.
        #[cfg_attr(
            doc,
            doc = "\n <div>\n <svg xmlns=\"http://www.w3.org/2000/svg\" class=\"agent-graph\" role=\"img\" aria-label=\"Graph type\" viewBox=\"0 0 308 263\" width=\"308\" height=\"263\" font-family=\"sans-serif\" font-size=\"13\" fill=\"none\" stroke-width=\"1.5\">\n <style>svg:root.agent-graph{color-scheme:light dark;color:CanvasText;background:Canvas}.agent-graph text{font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}.agent-graph .done{color:#2c9459}.agent-graph .next{color:#2a7ade}.agent-graph .waiting{color:#bb7d00}.agent-graph .blocked{color:#d64545}</style>\n <text x=\"16\" y=\"28.9\" text-anchor=\"start\" fill=\"currentColor\" font-weight=\"bold\">type</text>\n <path d=\"M80.5 73L80.5 73L80.5 73L80.5 105L80.5 105L80.5 137L80.5 137L80.5 128\" stroke=\"currentColor\"/>\n <path d=\"M80.5 137L85 128L76 128Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <g>\n <path d=\"M41 137L119.9 137A25 25 0 0 1 144.9 162L144.9 162A25 25 0 0 1 119.9 187L41 187A25 25 0 0 1 16 162L16 162A25 25 0 0 1 41 137Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"80.5\" y=\"157.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">end</text>\n <text x=\"80.5\" y=\"174.9\" text-anchor=\"middle\" fill=\"currentColor\">waiting-user</text>\n </g>\n <g>\n <path d=\"M36.5 73L124.5 73\" fill=\"currentColor\" fill-opacity=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"80.5\" y=\"65.9\" text-anchor=\"middle\" fill=\"currentColor\" font-weight=\"bold\">default</text>\n </g>\n <path d=\"M16 239L46 239\" fill=\"currentColor\" fill-opacity=\"0\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"54\" y=\"234.4\" text-anchor=\"start\" fill=\"currentColor\">entry</text>\n <path d=\"M117.3 221L129.3 221A9 9 0 0 1 138.3 230L138.3 230A9 9 0 0 1 129.3 239L117.3 239A9 9 0 0 1 108.3 230L108.3 230A9 9 0 0 1 117.3 221Z\" fill=\"currentColor\" fill-opacity=\"0.05\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n <text x=\"146.3\" y=\"234.4\" text-anchor=\"start\" fill=\"currentColor\">terminal</text>\n <path d=\"M222.4 230L243.4 230\" stroke=\"currentColor\"/>\n <path d=\"M252.4 230L243.4 234.5L243.4 225.5Z\" fill=\"currentColor\" stroke=\"currentColor\"/>\n <text x=\"260.4\" y=\"234.4\" text-anchor=\"start\" fill=\"currentColor\">next</text>\n </svg>\n </div>\n"
        )]
        pub mod r#type {
            /// The graph `type` as a type.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct Graph;
            impl ::agent_graph_runtime::Graph for Graph {
                type Step = Step;
                const ID: &'static str = "type";
                const SHAPE: [u8; 32] = *b"\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD";
                fn step(
                    _: ::agent_graph_runtime::StepPath<'_>,
                ) -> ::core::option::Option<Step> {
                    ::core::option::Option::None
                }
            }
            /// The entry points of graph `type`.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(u16)]
            pub enum Entry {
                /// `default`, which starts at node `end`.
                Default,
            }
            impl Entry {
                /// Every one.
                pub const ALL: &'static [Self] = &[Self::Default];
                /// The name as it is written in the definition.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    ::agent_graph_runtime::generated::entry_name(
                        &super::super::tables::TABLES,
                        3,
                        self as u16,
                    )
                }
            }
            impl ::agent_graph_runtime::generated::Name for Entry {
                const ALL: &'static [Self] = Self::ALL;
                const EXPECTED: &'static str = "entry of graph `type`";
                fn as_str(self) -> &'static str {
                    Self::as_str(self)
                }
            }
            ::agent_graph_runtime::generated::impl_name!(Entry);
            impl Entry {
                /// Evaluates the graph from this entry.
                #[must_use]
                pub fn evaluate(
                    self,
                    state: &::agent_graph_runtime::State,
                ) -> ::agent_graph_runtime::Evaluation<Graph> {
                    ::agent_graph_runtime::generated::evaluate(
                        super::super::PROVIDER,
                        3,
                        self as u16,
                        state,
                    )
                }
            }
            /// The nodes of graph `type`.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(u16)]
            pub enum Node {
                /// `end`, which ends the graph as `waiting-user`.
                End,
            }
            impl Node {
                /// Every one.
                pub const ALL: &'static [Self] = &[Self::End];
                /// The name as it is written in the definition.
                #[must_use]
                pub fn as_str(self) -> &'static str {
                    ::agent_graph_runtime::generated::node_id(
                        &super::super::tables::TABLES,
                        8,
                        self as u16,
                    )
                }
            }
            impl ::agent_graph_runtime::generated::Name for Node {
                const ALL: &'static [Self] = Self::ALL;
                const EXPECTED: &'static str = "node of graph `type`";
                fn as_str(self) -> &'static str {
                    Self::as_str(self)
                }
            }
            ::agent_graph_runtime::generated::impl_name!(Node);
            /// What can be next in graph `type`: its actions and gates, and below the nodes that call other graphs the steps of those.
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            pub enum Step {}
            impl Step {
                /// The node of this graph that is the step, or that calls the graph of the step.
                #[must_use]
                pub fn node(self) -> Node {
                    match self {}
                }
            }
            impl ::core::fmt::Debug for Step {
                fn fmt(
                    &self,
                    _: &mut ::core::fmt::Formatter<'_>,
                ) -> ::core::fmt::Result {
                    match *self {}
                }
            }
        }
    }
    mod tables {
        use ::agent_graph_runtime::generated::rows::*;
        pub(super) static TABLES: Tables<'static> = Tables {
            text: TEXT,
            provider: ProviderRow { id: Text(0, 12), version: Text(12, 5), name: Text::NONE, description: Text(17, 53), manifest: 0, catalog: NONE, digest: *b"\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x61\x62\x63\x64\x65\x66\x00\xff\x22\x5c\x0a\x09\x39\x30\x61\x62\x63\x64\x65\x66\x7f\x80" },
            graphs: &GRAPHS,
            entries: &ENTRIES,
            nodes: &NODES,
            steps: &STEPS,
            gates: &GATES,
            delegations: &DELEGATIONS,
            calls: &CALLS,
            edges: &EDGES,
            checks: &CHECKS,
            segments: &SEGMENTS,
            actions: &ACTIONS,
            resources: &RESOURCES,
            codes: &CODES,
            files: &FILES,
            texts: &TEXTS,
            lists: &LISTS,
        };

        pub(super) static GRAPHS: [GraphRow; 3] = [
            GraphRow { id: Text(110, 7), description: Text(117, 24), file: 0, digest: *b"\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab", shape: *b"\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd", entries: Rows(0, 2), nodes: Rows(0, 6), edges: Rows(0, 2), dependencies: Rows(0, 1) }, // release
            GraphRow { id: Text(187, 5), description: Text::NONE, file: 0, digest: *b"\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab", shape: *b"\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd", entries: Rows(2, 1), nodes: Rows(6, 2), edges: Rows(0, 0), dependencies: Rows(0, 0) }, // audit
            GraphRow { id: Text(266, 4), description: Text::NONE, file: 0, digest: *b"\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab\xab", shape: *b"\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd", entries: Rows(3, 1), nodes: Rows(8, 1), edges: Rows(0, 0), dependencies: Rows(0, 0) }, // type
        ];

        pub(super) static ENTRIES: [EntryRow; 4] = [
            EntryRow { name: Text(141, 7), node: 0 }, // release/default
            EntryRow { name: Text(148, 7), node: 1 }, // release/2nd-try
            EntryRow { name: Text(141, 7), node: 6 }, // audit/default
            EntryRow { name: Text(141, 7), node: 8 }, // type/default
        ];

        pub(super) static NODES: [NodeRow; 9] = [
            NodeRow { id: Text(165, 11), description: Text(206, 21), kind: NodeKind::Action, join: Join::All, priority: -1000, outcome: Outcome::Blocked, graph: 0, rank: 3, requires: Rows(0, 0), detail: 0, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // release/scan.review
            NodeRow { id: Text(176, 11), description: Text(227, 0), kind: NodeKind::Action, join: Join::Any, priority: 0, outcome: Outcome::Blocked, graph: 0, rank: 2, requires: Rows(0, 5), detail: 1, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // release/scan-review
            NodeRow { id: Text(187, 5), description: Text::NONE, kind: NodeKind::Subgraph, join: Join::All, priority: 0, outcome: Outcome::Blocked, graph: 0, rank: 0, requires: Rows(0, 0), detail: 0, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // release/audit
            NodeRow { id: Text(192, 4), description: Text::NONE, kind: NodeKind::Gate, join: Join::All, priority: 0, outcome: Outcome::Blocked, graph: 0, rank: 4, requires: Rows(0, 0), detail: 2, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // release/self
            NodeRow { id: Text(196, 3), description: Text::NONE, kind: NodeKind::Subgraph, join: Join::All, priority: 0, outcome: Outcome::Blocked, graph: 0, rank: 1, requires: Rows(0, 0), detail: 1, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // release/1st
            NodeRow { id: Text(199, 7), description: Text::NONE, kind: NodeKind::Terminal, join: Join::All, priority: 0, outcome: Outcome::Completed, graph: 0, rank: 5, requires: Rows(0, 0), detail: NONE, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // release/shipped
            NodeRow { id: Text(257, 5), description: Text::NONE, kind: NodeKind::Action, join: Join::All, priority: 0, outcome: Outcome::Blocked, graph: 1, rank: 0, requires: Rows(0, 0), detail: 3, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // audit/check
            NodeRow { id: Text(262, 4), description: Text::NONE, kind: NodeKind::Terminal, join: Join::All, priority: 0, outcome: Outcome::Blocked, graph: 1, rank: 1, requires: Rows(0, 0), detail: NONE, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // audit/done
            NodeRow { id: Text(270, 3), description: Text::NONE, kind: NodeKind::Terminal, join: Join::All, priority: 0, outcome: Outcome::WaitingUser, graph: 2, rank: 0, requires: Rows(0, 0), detail: NONE, incoming: 0, outgoing: Rows(0, 0), repeats: Rows(0, 0) }, // type/end
        ];

        pub(super) static STEPS: [StepRow; 4] = [
            StepRow { reason: Text(155, 10), code: NONE, satisfied: Rows(0, 0), action: 0, gate: NONE, required: Rows(0, 0), recommended: Rows(0, 0) }, // release/scan.review
            StepRow { reason: Text(155, 10), code: NONE, satisfied: Rows(0, 0), action: 0, gate: NONE, required: Rows(0, 0), recommended: Rows(0, 0) }, // release/scan-review
            StepRow { reason: Text(227, 13), code: 0, satisfied: Rows(0, 0), action: NONE, gate: 0, required: Rows(1, 2), recommended: Rows(0, 0) }, // release/self
            StepRow { reason: Text(240, 17), code: NONE, satisfied: Rows(0, 0), action: 0, gate: NONE, required: Rows(0, 0), recommended: Rows(0, 0) }, // audit/check
        ];

        pub(super) static GATES: [GateRow; 1] = [
            GateRow { id: Text(273, 8), prompt: Text(281, 10), authority: Text(291, 15), delegatable: true, members: [1, 3, 2, 0], inspection: NONE, resolution: NONE, delegated: 0 }, // release/self
        ];

        pub(super) static DELEGATIONS: [DelegatedRow; 1] = [
            DelegatedRow { inspection: Inspection::Skip, resolution: NONE, replaces_resources: true, required: Rows(0, 0), recommended: Rows(0, 0) }, // release/self
        ];

        pub(super) static CALLS: [CallRow; 2] = [
            CallRow { graph: 1, entry: 2 }, // release/audit
            CallRow { graph: 2, entry: 3 }, // release/1st
        ];

        pub(super) static EDGES: [EdgeRow; 2] = [
            EdgeRow { from: 0, to: 1, outcomes: OUTCOMES_01, kind: EdgeKind::Flow }, // release/scan.review -> scan-review
            EdgeRow { from: 1, to: 1, outcomes: OUTCOMES_FF, kind: EdgeKind::Repeat }, // release/scan-review -> scan-review
        ];

        pub(super) static CHECKS: [CheckRow; 5] = [
            CheckRow { path: Text(309, 6), segments: Rows(0, 2), test: Test::Exists(true) }, // scan.0
            CheckRow { path: Text(309, 6), segments: Rows(0, 2), test: Test::Null }, // scan.0
            CheckRow { path: Text(309, 6), segments: Rows(0, 2), test: Test::Bool(false) }, // scan.0
            CheckRow { path: Text(309, 6), segments: Rows(0, 2), test: Test::Number(0xbfe0000000000000) }, // scan.0
            CheckRow { path: Text(309, 6), segments: Rows(0, 2), test: Test::Text(Text(306, 3)) }, // scan.0
        ];

        pub(super) static SEGMENTS: [SegmentRow; 2] = [
            SegmentRow { name: Text(315, 4), index: NONE }, // scan
            SegmentRow { name: Text(319, 1), index: 0 }, // 0
        ];

        pub(super) static ACTIONS: [ActionRow; 2] = [
            ActionRow { id: Text(315, 4), description: Text::NONE, file: 1, runner: Runner::Script, effect: Effect::Read, cwd: WorkingDirectory::Provider, command: Text::NONE, entry: NONE, runtime: Runtime::Python, args: Rows(0, 2), skill: NONE, skill_header: false, skill_name: Text::NONE, handler: Text::NONE, input_schema: NONE, output_schema: NONE, input_identity: Text::NONE, output_identity: Text::NONE }, // scan
            ActionRow { id: Text(320, 7), description: Text::NONE, file: NONE, runner: Runner::Host, effect: Effect::External, cwd: WorkingDirectory::Workspace, command: Text::NONE, entry: NONE, runtime: Runtime::Shell, args: Rows(0, 0), skill: NONE, skill_header: false, skill_name: Text::NONE, handler: Text(327, 20), input_schema: NONE, output_schema: NONE, input_identity: Text::NONE, output_identity: Text::NONE }, // approve
        ];

        pub(super) static RESOURCES: [ResourceRow; 1] = [
            ResourceRow { id: Text(352, 5), kind: ResourceKind::ContextView, media_type: Text(357, 13), description: Text::NONE, class: ResourceClass::HostAction, file: NONE, content: NONE, materializer: NONE, input: Text(370, 15) }, // notes
        ];

        pub(super) static CODES: [CodeRow; 2] = [
            CodeRow { code: Text(227, 13), kind: CodeKind::Diagnostic, summary: Text(385, 21), severity: ::core::option::Option::None, document: 0, document_path: Text::NONE }, // route.approve
            CodeRow { code: Text(406, 11), kind: CodeKind::Diagnostic, summary: Text(385, 21), severity: ::core::option::Option::Some(Severity::Warning), document: 0, document_path: Text::NONE }, // shop.broken
        ];

        pub(super) static FILES: [FileRow; 2] = [
            FileRow { path: Text(70, 13), digest: *b"\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07\x07" }, // provider.yaml
            FileRow { path: Text(83, 27), digest: *b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" }, //  leading space/\u{202e}é\"\'.yaml
        ];

        pub(super) static TEXTS: [Text; 2] = [
            Text(347, 5), // --all
            Text(227, 0), // 
        ];

        pub(super) static LISTS: [u32; 4] = [
            1, 0, 1, 4294967295,
        ];

        pub(super) static HANDLERS: [Text; 1] = [
            Text(327, 20), // tide.render-brief/v1
        ];

        pub(super) static AUTHORITIES: [Text; 1] = [
            Text(291, 15), // release-manager
        ];

        pub(super) static REASON_CODES: [Text; 3] = [
            Text(227, 13), // route.approve
            Text(240, 17), // route.audit.check
            Text(155, 10), // route.scan
        ];

        const OUTCOMES_01: OutcomeSet = OutcomeSet::from_bits(0x01); // completed
        const OUTCOMES_FF: OutcomeSet = OutcomeSet::from_bits(0xff); // completed, partial, failed, unverified, skipped, pending, blocked, waiting-user

        static TEXT: &str = "\
            shop/release\
            1.2.0\
            How a release is made.\n\n  [Not] a <link>, nor `code`.\
            provider.yaml\
            \x20leading space/\u{202e}é\"'.yaml\
            release\
            From source\nto registry.\
            default\
            2nd-try\
            route.scan\
            scan.review\
            scan-review\
            audit\
            self\
            1st\
            shipped\
            Looks at *all* files.\
            route.approve\
            route.audit.check\
            check\
            done\
            type\
            end\
            approval\
            Ship it?\r\n\
            release-manager\
            yes\
            scan.0\
            scan\
            0\
            approve\
            tide.render-brief/v1\
            --all\
            notes\
            text/markdown\
            {\"a\": \"\\u0001\"}\
            Somebody has to look.\
            shop.broken\
        ";
    }
}
