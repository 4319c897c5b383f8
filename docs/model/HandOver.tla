------------------------------ MODULE HandOver ------------------------------
(***************************************************************************)
(* One lock inside a process: its callers stand in line, one of them deals *)
(* with the store, and the lock passes between them without a command,     *)
(* until another process gets its turn. README.md maps each step to the    *)
(* code.                                                                   *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Callers,  \* threads of the process
          Slice,    \* how many hand-overs in a row stay in the process
          Ttl,      \* the ttl of each caller, and of the lease
          Horizon,  \* when the clock stops
          Mistake   \* a mistake that is planted, or "none"

VARIABLES now,
          line,     \* the callers in line, the first one first
          asking,   \* the caller that deals with the store, or NoCaller
          at,       \* of each caller: "new", "line", "asking", "held", "done"
          deadline, \* of each caller, while it holds the lock
          lease,    \* what the process has of the store: none, held, or open for the first in line
          end,      \* when the store ends that lease
          passed,   \* how many hand-overs in a row stayed in the process
          other,    \* the other process: "away", "queued", "held"
          told      \* callers that were notified of a loss

vars == <<now, line, asking, at, deadline, lease, end, passed, other, told>>

NoCaller == "none"
Gone(c) == SelectSeq(line, LAMBDA x : x # c)

Init == /\ now = 0 /\ line = <<>> /\ asking = NoCaller /\ at = [c \in Callers |-> "new"]
        /\ deadline = [c \in Callers |-> 0] /\ lease = "none" /\ end = 0 /\ passed = 0 /\ other = "away"
        /\ told = {}

\* LocalQueue.join: takes what lies open, or deals with the store, or waits.
Request(c) ==
    /\ at[c] = "new"
    /\ IF lease = "none" /\ asking = NoCaller
       THEN /\ asking' = c /\ at' = [at EXCEPT ![c] = "asking"] /\ UNCHANGED line
       ELSE /\ line' = Append(line, c) /\ at' = [at EXCEPT ![c] = "line"] /\ UNCHANGED asking
    /\ UNCHANGED <<now, deadline, lease, end, passed, other, told>>

\* The store grants the lock to the caller that deals with it.
Grant(c) ==
    /\ asking = c /\ other # "held" /\ lease = "none"
    /\ asking' = NoCaller /\ lease' = "held" /\ end' = now + Ttl /\ passed' = 0
    /\ at' = [at EXCEPT ![c] = "held"] /\ deadline' = [deadline EXCEPT ![c] = now + Ttl]
    /\ UNCHANGED <<now, line, other, told>>

\* The first in line takes the place of one that deals with the store no more.
AskNext ==
    /\ asking = NoCaller /\ lease = "none" /\ line # <<>>
    /\ asking' = Head(line) /\ line' = Tail(line) /\ at' = [at EXCEPT ![Head(line)] = "asking"]
    /\ UNCHANGED <<now, deadline, lease, end, passed, other, told>>

\* LocalQueue.release: within the slice the lease lies open for the first in line, else the store gets it back.
Release(c) ==
    /\ at[c] = "held" /\ now < deadline[c]
    /\ at' = [at EXCEPT ![c] = "done"]
    /\ IF line # <<>> /\ (passed < Slice \/ Mistake = "no slice")
       THEN lease' = "open" /\ UNCHANGED <<other, end>>
       ELSE lease' = "none" /\ end' = 0 /\ other' = IF other = "queued" THEN "held" ELSE other
    /\ UNCHANGED <<now, line, asking, deadline, passed, told>>

\* LocalQueue.turn: the waiter that was woken takes the lease. Its ttl counts from its own turn, and what the store
\* has confirmed bounds it.
HandOver ==
    /\ lease = "open" /\ line # <<>>
    /\ LET c == Head(line)
       IN  /\ now < end
           /\ line' = Tail(line) /\ at' = [at EXCEPT ![c] = "held"]
           /\ deadline' = [deadline EXCEPT ![c] = IF Mistake = "the next caller has a whole lease"
                                                  THEN now + Ttl ELSE end]
    /\ lease' = "held" /\ passed' = passed + 1
    /\ UNCHANGED <<now, asking, end, other, told>>

\* An open lease that no waiter takes goes back to the store.
GiveBack ==
    /\ lease = "open" /\ (line = <<>> \/ now >= end)
    /\ ~(Mistake = "an open lease is forgotten" /\ line = <<>>)
    /\ lease' = "none" /\ end' = 0 /\ other' = IF other = "queued" THEN "held" ELSE other
    /\ UNCHANGED <<now, line, asking, at, deadline, passed, told>>

\* LocalQueue.timeOut, leave: a caller does not wait any longer.
Refuse(c) ==
    /\ at[c] \in {"line", "asking"}
    /\ at' = [at EXCEPT ![c] = "done"]
    /\ line' = IF Mistake = "a waiter that has left stays in line" THEN line ELSE Gone(c)
    /\ asking' = IF asking = c THEN NoCaller ELSE asking
    /\ UNCHANGED <<now, deadline, lease, end, passed, other, told>>

\* LeaseRenewer: the lease is extended for a holder that is still at work.
Renew(c) ==
    /\ at[c] = "held" /\ now < deadline[c] /\ now > 0 /\ end < Horizon /\ end < now + Ttl
    /\ end' = now + Ttl /\ deadline' = [deadline EXCEPT ![c] = now + Ttl]
    /\ UNCHANGED <<now, line, asking, at, lease, passed, other, told>>

Lose(c) ==
    /\ at[c] = "held" /\ now >= deadline[c]
    /\ at' = [at EXCEPT ![c] = "done"] /\ told' = told \cup {c}
    /\ lease' = "none" /\ end' = 0 /\ other' = IF other = "queued" THEN "held" ELSE other
    /\ UNCHANGED <<now, line, asking, deadline, passed>>

OtherAsks ==
    /\ other = "away"
    /\ other' = IF lease = "none" THEN "held" ELSE "queued"
    /\ UNCHANGED <<now, line, asking, at, deadline, lease, end, passed, told>>

OtherReleases ==
    /\ other = "held" /\ other' = "away"
    /\ UNCHANGED <<now, line, asking, at, deadline, lease, end, passed, told>>

Tick ==
    /\ now < Horizon
    /\ \A c \in Callers : at[c] = "held" => now < deadline[c]
    /\ lease = "open" => now + 1 <= end
    /\ now' = now + 1
    /\ UNCHANGED <<line, asking, at, deadline, lease, end, passed, other, told>>

Next == \/ Tick \/ AskNext \/ HandOver \/ GiveBack \/ OtherAsks \/ OtherReleases
        \/ \E c \in Callers : Request(c) \/ Grant(c) \/ Release(c) \/ Refuse(c) \/ Renew(c) \/ Lose(c)

\* A holder releases the lock or loses it; what lies open is taken or goes back.
Fairness == /\ WF_vars(AskNext) /\ WF_vars(HandOver) /\ WF_vars(GiveBack) /\ WF_vars(OtherReleases)
            /\ \A c \in Callers : /\ WF_vars(Request(c)) /\ SF_vars(Grant(c))
                                  /\ WF_vars(Release(c) \/ Lose(c))

Spec == Init /\ [][Next]_vars /\ Fairness

Symmetry == Permutations(Callers)

-----------------------------------------------------------------------------

Holders == {c \in Callers : at[c] = "held" /\ now < deadline[c]}

Exclusion == Cardinality(Holders) + (IF other = "held" THEN 1 ELSE 0) <= 1

\* The deadline of a holder is not later than the end of the lease in the store.
LossBeforeExpiry == \A c \in Holders : lease = "held" /\ deadline[c] <= end

\* A caller has the lock only while its call waits for it.
NoLie == \A i \in 1..Len(line) : at[line[i]] = "line"

NoOrphan == lease = "held" => \E c \in Callers : at[c] = "held"

\* The other process gets its turn after a slice at the latest.
SliceEnds == passed <= Slice

EveryWaiterEnds == \A c \in Callers : at[c] \in {"line", "asking"} ~> at[c] \in {"held", "done"}
OtherProcessEnds == other = "queued" ~> other = "held"

=============================================================================
