import Geometry

/// Whether a notification disturbs (S-07).
extension Notices {
    /// A banner is for news that a person does not see already, and wants to know now. On a locked screen it sounds as elsewhere;
    /// `saysOnLock` decides about its words there.
    mutating func showsBanner(
        _ notice: Notice, replacing before: Notice?, _ surroundings: Surroundings, isInFront: Bool, at now: Moment
    ) -> Bool {
        let content = notice.content
        guard content.level > .passive, !(content.waitsInList ?? false), mayShow(content) else { return false }
        // Feedback on an act of the person, or news that the person still sees.
        guard !content.isFeedback, !isInFront else { return false }
        // A job in progress, or a text that was sent twice. A script that tells of a volume means a person to see it each time.
        if let before, content.isNoNews(after: before.content), !content.isToldEachTime(after: before) { return false }
        if before == nil, wasSwept(notice) { return false }
        guard content.level >= (choices.isQuiet ? .critical : surroundings.isBusy ? .timeSensitive : .active) else { return false }
        // A focus lets some apps and people through, and notifications that cannot wait.
        guard focus(at: now)?.lets(content) ?? true else { return false }
        // Steps of a value do not use up what the owner may tell besides, and come faster.
        let isStep = before.map { content.isNoNews(after: $0.content) } ?? false
        return content.level == .critical || takeAllowance(of: notice.payer.key, isStep: isStep, at: now)
    }

    /// Whether a notification sounds now. Time-sensitive and critical ones always do.
    mutating func takeSound(_ content: NoticeContent, at now: Moment) -> Bool {
        sounds.left = min(NoticeLimits.sounds, sounds.left + max(0, now - sounds.since) / NoticeLimits.soundPause)
        sounds.since = now
        guard sounds.left >= 1 else { return content.level >= .timeSensitive }
        sounds.left -= 1
        return true
    }

    /// Whether its app may show a banner. A notification that waits for a summary shows one only if it cannot wait.
    private func mayShow(_ content: NoticeContent) -> Bool {
        switch choices.manner(of: content.group) {
        case .banners: true
        case .summary: content.level >= .timeSensitive
        case .quietly, .off: false
        }
    }

    /// Owners that notify again and again, under whatever names, show no banner for a while.
    private mutating func takeAllowance(of name: String, isStep: Bool, at now: Moment) -> Bool {
        let owner = isStep ? name + "\n" : name, burst = isStep ? NoticeLimits.steps : NoticeLimits.burst
        var allowance = allowances[owner] ?? Allowance(left: burst, since: now)
        allowance.left = min(burst, allowance.left + max(0, now - allowance.since) / (isStep ? NoticeLimits.stepPause : NoticeLimits.pause))
        allowance.since = now
        let isLeft = allowance.left >= 1
        if isLeft { allowance.left -= 1 }
        allowances[owner] = nil
        allowances[owner] = allowance
        if allowances.count > NoticeLimits.allowances { allowances.removeFirst() }
        return isLeft
    }
}

extension NoticeContent {
    /// Whether it is a step of a job, or says what it said before.
    func isNoNews(after before: NoticeContent) -> Bool { progress != nil || before.isSame(as: self) }

    /// Whether it is the value of something that a script shows at each key: it has a name of its own for that
    /// (`x-canonical-private-synchronous`), or each value comes from a new connection (`notify-send -r`).
    func isToldEachTime(after before: Notice) -> Bool { !key.isEmpty || (before.sender == nil && before.schedule == nil && origin == nil) }

    /// Whether a person would read the same.
    func isSame(as other: NoticeContent) -> Bool { title == other.title && body == other.body && buttons == other.buttons }
}
